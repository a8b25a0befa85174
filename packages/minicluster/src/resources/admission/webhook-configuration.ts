import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from '@liqo/kube';
import type {
  MutatingWebhook,
  RuleWithOperations,
  ValidatingWebhook,
} from 'kubernetes-types/admissionregistration/v1.d.ts';
import { nameColumn } from '../../rest/table.ts';
import { defineResource } from '../define-resource.ts';
import { changeEach, changeIn, fillIn } from '../fill-in.ts';
import { ageColumn, integerColumn } from '../printing/columns.ts';
import { duplicate, type FieldProblem, oneOf } from '../validation/field-problem.ts';
import { validateWebhook } from './validate-webhook.ts';

type Configuration = MutatingWebhookConfiguration | ValidatingWebhookConfiguration;

const columns = [
  nameColumn,
  integerColumn('Webhooks', ({ webhooks }: Configuration) => (webhooks ?? []).length),
  ageColumn,
];

export const mutatingWebhookConfigurations = defineResource<MutatingWebhookConfiguration>({
  kind: MutatingWebhookConfiguration,
  categories: ['api-extensions'],
  columns,
  strategy: {
    withDefaults: (object: MutatingWebhookConfiguration) =>
      changeEach(object, 'webhooks', (hook: MutatingWebhook) =>
        fillIn(defaultWebhook(hook), { reinvocationPolicy: 'Never' }),
      ),
    validate: validateMutating,
    requiresVersion: true,
  },
});

export const validatingWebhookConfigurations = defineResource<ValidatingWebhookConfiguration>({
  kind: ValidatingWebhookConfiguration,
  categories: ['api-extensions'],
  columns,
  strategy: {
    withDefaults: (object: ValidatingWebhookConfiguration) =>
      changeEach(object, 'webhooks', defaultWebhook<ValidatingWebhook>),
    validate: ({ webhooks = [] }: ValidatingWebhookConfiguration) => validateAll(webhooks),
    requiresVersion: true,
  },
});

function defaultWebhook<W extends ValidatingWebhook>(hook: W): W {
  const complete = fillIn<ValidatingWebhook>(hook, {
    failurePolicy: 'Fail',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: {},
    timeoutSeconds: 10,
  });
  const scoped = changeEach(complete, 'rules', (rule: RuleWithOperations) =>
    fillIn(rule, { scope: '*' }),
  );
  return changeIn(scoped, 'clientConfig', (config) =>
    changeIn(config, 'service', (service) => fillIn(service, { port: 443 })),
  ) as W;
}

function validateMutating({ webhooks = [] }: MutatingWebhookConfiguration): FieldProblem[] {
  const policies = webhooks.flatMap(({ reinvocationPolicy }, i) => {
    const field = `webhooks[${i}].reinvocationPolicy`;
    return reinvocationPolicy ? oneOf(field, reinvocationPolicy, ['IfNeeded', 'Never']) : [];
  });
  return [...validateAll(webhooks), ...policies];
}

function validateAll(webhooks: readonly ValidatingWebhook[]): FieldProblem[] {
  const names = webhooks.map(({ name }) => name);
  return webhooks.flatMap((hook, i) => {
    const isRepeated = hook.name !== '' && names.indexOf(hook.name) < i;
    return [
      ...validateWebhook(`webhooks[${i}]`, hook),
      ...(isRepeated ? [duplicate(`webhooks[${i}].name`, hook.name)] : []),
    ];
  });
}
