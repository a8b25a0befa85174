import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { kubeletTemplatePage, renderKubeletTemplatePage } from './kubelet-template-page.ts';
import { podFieldsPage, renderPodFieldsPage } from './pod-fields-page.ts';
import { podPolicyPage, renderPodPolicyPage } from './pod-policy-page.ts';
import { reflectedFieldsPage, renderReflectedFieldsPage } from './reflected-fields-page.ts';

mkdirSync(dirname(podFieldsPage), { recursive: true });
writeFileSync(podFieldsPage, renderPodFieldsPage());
writeFileSync(podPolicyPage, renderPodPolicyPage());
writeFileSync(reflectedFieldsPage, renderReflectedFieldsPage());
writeFileSync(kubeletTemplatePage, renderKubeletTemplatePage());
