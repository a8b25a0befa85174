import { tenantNamespaceName } from '@liqo/api';
import type { Resources, Values } from '../values.ts';
import type { ValueType } from './placeholder.ts';

/** What can be said of a value, to people and to Helm. */
export interface ValueGuide {
  readonly about: string;
  readonly schema: ValueSchema;
}

/** As a JSON schema has it. */
export interface ValueSchema {
  readonly type: ValueType;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: ValueSchema;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
  readonly required?: readonly string[];
  /** Of the keys that `properties` does not have; anything, if it says nothing. */
  readonly additionalProperties?: ValueSchema | false;
  readonly propertyNames?: { readonly enum: readonly string[] };
}

export interface Section {
  readonly about: string;
  readonly values: Readonly<Record<string, ValueGuide | Section>>;
}

/** With a word about every single one of the values. Maps with keys of the user are values too. */
interface SectionOf<T> extends Section {
  readonly values: {
    readonly [K in keyof T]: T[K] extends string | number | boolean | readonly unknown[]
      ? ValueGuide
      : string extends keyof T[K]
        ? ValueGuide
        : SectionOf<T[K]>;
  };
}

/** Helm itself knows the namespace and the name of a release: they are no values of the chart. */
type ChartValues = Omit<Values, 'namespace' | 'releaseName'>;

/** Peers have a namespace that is named after it. */
const longestClusterID = 63 - tenantNamespaceName('').length;

const count = (about: string): ValueGuide => ({ about, schema: { type: 'integer', minimum: 0 } });
const choice = (about: string, ...words: readonly string[]): ValueGuide => ({
  about,
  schema: { type: 'string', enum: words },
});
const port = (about: string): ValueGuide => ({
  about,
  schema: { type: 'integer', minimum: 1, maximum: 65_535 },
});
const quantity = (about: string): ValueGuide => ({
  about,
  schema: { type: 'string', minLength: 1 },
});
const resources = (about: string): SectionOf<Resources> => ({
  about,
  values: { cpu: quantity('Cores, as in "500m".'), memory: quantity('Bytes, as in "512Mi".') },
});
const yesOrNo = (about: string): ValueGuide => ({ about, schema: { type: 'boolean' } });
const words = (about: string): ValueGuide => ({
  about,
  schema: { type: 'array', items: { type: 'string' } },
});

const texts: ValueSchema = { type: 'object', additionalProperties: { type: 'string' } };
const wordMap = (about: string): ValueGuide => ({ about, schema: texts });
const named: ValueSchema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 1 } },
  additionalProperties: false,
};
const reflector: ValueSchema = {
  type: 'object',
  required: ['workers'],
  properties: {
    workers: { type: 'integer', minimum: 0 },
    type: { type: 'string', enum: ['AllowList', 'DenyList', 'Disabled'] },
  },
  additionalProperties: false,
};
const reflectedResources = [
  'pod',
  'service',
  'endpointslice',
  'ingress',
  'configmap',
  'secret',
  'serviceaccount',
  'persistentvolumeclaim',
  'event',
];

/** What `values.yaml` explains, and `values.schema.json` checks. */
export const valueGuide: SectionOf<ChartValues> = {
  about: 'Liqo on one cluster.',
  values: {
    clusterID: {
      about: `How this cluster is known to its peers: lower-case letters, digits and dashes, at most ${longestClusterID}. Required at the first installation, and different for every cluster. Upgrades keep it, and refuse another one.`,
      schema: {
        type: 'string',
        pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?)?$',
        maxLength: longestClusterID,
      },
    },
    image: {
      about: 'The image that everything runs from.',
      values: {
        name: {
          about: 'With its registry, without its tag.',
          schema: { type: 'string', minLength: 1 },
        },
        tag: {
          about: 'A tag, as in "1.2", and a digest if you want, as in "1.2@sha256:…".',
          schema: { type: 'string', minLength: 1 },
        },
        pullPolicy: choice('When nodes pull it.', 'Always', 'IfNotPresent', 'Never'),
        pullSecrets: {
          about:
            'The Secrets by which nodes pull it, as in "- name: registry". They must be in the namespace of Liqo, and for virtual kubelets in the tenant namespaces.',
          schema: { type: 'array', items: named },
        },
      },
    },
    common: {
      about: 'What all components have in common.',
      values: {
        labels: wordMap('Labels for all objects, and for the pods.'),
        nodeSelector: wordMap('Labels of the nodes that the controllers and the webhooks run on.'),
        tolerations: {
          about: 'Taints that the controllers, the webhooks and the virtual kubelets tolerate.',
          schema: { type: 'array', items: { type: 'object' } },
        },
        affinity: {
          about: 'The affinity of the pods of the controllers and of the webhooks.',
          schema: { type: 'object' },
        },
      },
    },
    controllerManager: {
      about: 'The controllers of this cluster, as consumer and as provider.',
      values: {
        replicas: count('One works, the others wait to take over.'),
        logLevel: choice('How much they say.', 'debug', 'info', 'warn', 'error'),
        podSecurityLevel: choice(
          'The Pod Security level of the namespaces that are made here for consumers.',
          'privileged',
          'baseline',
          'restricted',
        ),
        drainTimeoutSeconds: count(
          'How long the pods of a virtual node that is deleted may take to leave it. Then it goes without them.',
        ),
        healthPort: port('Where they answer /healthz and /readyz.'),
        metrics: {
          about: 'Where they answer /metrics, without asking callers who they are.',
          values: {
            host: {
              about:
                'The address they listen on. 127.0.0.1: callers need "kubectl port-forward", which the API server authorizes. 0.0.0.0, or [::]: the pod network, as far as the NetworkPolicy allows.',
              schema: { type: 'string', minLength: 1 },
            },
            port: port('The port.'),
            namespace: {
              about: 'The namespace whose pods the NetworkPolicy allows to connect.',
              schema: { type: 'string', minLength: 1 },
            },
          },
        },
        extraArgs: words('Further flags: "liqo controller-manager --help" lists them.'),
        requests: resources('What their pod requests.'),
        limits: resources(
          'What their pod may use. With the memory, the size of lists that they can read grows.',
        ),
      },
    },
    webhook: {
      about: 'The webhooks that the API server of this cluster calls.',
      values: {
        replicas: count('All of them answer.'),
        logLevel: choice('How much they say.', 'debug', 'info', 'warn', 'error'),
        port: port('Where they answer the API server, behind their Service.'),
        healthPort: port('Where they answer /healthz and /readyz.'),
        failurePolicy: choice(
          'What becomes of a pod of an offloaded namespace while no webhook answers. Fail: its creation is refused, and controllers repeat it. Ignore: it is created, and runs on local nodes only. Pods of other namespaces are created anyhow.',
          'Fail',
          'Ignore',
        ),
        extraArgs: words('Further flags: "liqo webhook --help" lists them.'),
        requests: resources('What each of their pods requests.'),
        limits: resources('What each of their pods may use.'),
      },
    },
    apiServer: {
      about:
        'What consumers are told of the API server of this cluster, along with their credentials.',
      values: {
        address: {
          about:
            'Where they reach it: "https://host:port". If empty, an address of a control-plane node, with port 6443.',
          schema: { type: 'string' },
        },
        ca: {
          about:
            'The authorities that prove it: PEM, as base64. If empty, those that the pods of this cluster know it by.',
          schema: { type: 'string' },
        },
        trustedCA: yesOrNo(
          'Whether consumers know its authority anyhow, so that they are told none.',
        ),
      },
    },
    peers: {
      about: 'How this cluster reaches the API servers of its peers.',
      values: {
        allowInsecure: yesOrNo(
          'Whether kubeconfigs of peers may use plain HTTP, no verification, and loopback, link-local or metadata addresses, for the controllers and all virtual kubelets. For clusters on one machine only: a peer could lead them to services of the node.',
        ),
      },
    },
    authentication: {
      about: 'How this cluster proves to its peers who it is.',
      values: {
        enabled: yesOrNo(
          'Whether the controllers of Tenants, Identities and ResourceSlices run. Without them there are no new peers and no new slices.',
        ),
        tlsCompatibilityMode: yesOrNo(
          'Whether the keys of this cluster are made as RSA, for peers whose API servers take no Ed25519. Existing keys stay.',
        ),
      },
    },
    offloading: {
      about: 'Virtual nodes, and the pods of consumers.',
      values: {
        enabled: yesOrNo(
          'Whether the controllers of VirtualNodes, NamespaceOffloadings, ShadowPods and offers run. Without them no pod is offloaded or taken.',
        ),
      },
    },
    storage: {
      about: 'Storage of offloaded pods.',
      values: {
        enabled: yesOrNo(
          'Whether there is the storage class "liqo", whose claims get their storage at a provider.',
        ),
      },
    },
    hooks: {
      about:
        'What Helm runs before it upgrades or uninstalls the release. "liqoctl install" and "uninstall" do the same by themselves.',
      values: {
        kinds: yesOrNo(
          'Whether an upgrade writes the kinds of its version first: Helm itself never changes a kind that is there.',
        ),
        uninstallCheck: yesOrNo(
          'Whether an uninstallation is refused while this cluster has peers: controllers have to take down what is in use.',
        ),
      },
    },
    networkPolicies: {
      about: 'Who may connect to the controllers and the webhooks.',
      values: {
        enabled: yesOrNo(
          'Whether there are NetworkPolicies for them. Those of virtual kubelets are always there.',
        ),
      },
    },
    disruptionBudgets: {
      about: 'What happens to the controllers and the webhooks while nodes are drained.',
      values: {
        enabled: yesOrNo('Whether there are PodDisruptionBudgets: one pod of each at a time.'),
      },
    },
    monitoring: {
      about: 'What the Prometheus operator and Grafana find.',
      values: {
        enabled: yesOrNo(
          'Whether there are a ServiceMonitor for the controllers and a PodMonitor for the virtual kubelets. The cluster must have these kinds. Then the controllers serve metrics on all addresses of their pod.',
        ),
        interval: {
          about: 'How often Prometheus asks.',
          schema: { type: 'string', pattern: '^[0-9]+(ms|s|m|h)$' },
        },
        labels: wordMap('Labels by which Prometheus chooses them, as in "release: prometheus".'),
        dashboard: {
          about: 'A dashboard for Grafana, in a ConfigMap.',
          values: {
            enabled: yesOrNo('Whether it is there.'),
            labels: wordMap('Labels by which the sidecar of Grafana finds it.'),
          },
        },
      },
    },
    slices: {
      about: 'What consumers are granted.',
      values: {
        defaultLimitsEnforcement: choice(
          'What the Quotas of slices want of containers. None: nothing. Soft: that they request CPU and memory. Hard: and that their limits equal their requests.',
          'None',
          'Soft',
          'Hard',
        ),
        enableDefaultClass: yesOrNo(
          'Whether slices of the class "default", or of none, are granted what they ask for. Otherwise they are denied, and consumers ask for a class of another controller.',
        ),
        defaultNodeResources: words(
          'What such a slice is granted of resources that it does not ask for, as in "cpu=4".',
        ),
        nodeLabels: words('Labels for the virtual nodes of consumers, as in "region=south".'),
        offerStorageClasses: yesOrNo(
          'Whether slices offer the storage classes of this cluster, as far as consumers.storageClasses allows them.',
        ),
        defaultStorageClass: {
          about: 'The one that is offered as default. The default one of this cluster when empty.',
          schema: { type: 'string' },
        },
        ingressClasses: words(
          'The ingress classes that slices offer. One may be marked as default, as in "nginx;default".',
        ),
        loadBalancerClasses: words('The load balancer classes that slices offer, likewise.'),
        enableResourceEnforcement: yesOrNo(
          'Whether pods of consumers beyond their Quotas wait until there is room. A consumer without a Tenant and without a Quota is not limited.',
        ),
      },
    },
    virtualKubelet: {
      about:
        'The virtual kubelets of VirtualNodes that name no options of their own (the VkOptionsTemplate "virtual-kubelet-default").',
      values: {
        replicas: count('Of each one. One works, the others wait to take over.'),
        createNode: yesOrNo(
          'Whether a VirtualNode becomes a Node, unless it says itself. Without, pods are only reflected.',
        ),
        disableNetworkCheck: yesOrNo(
          'Whether a Node is ready without the network to its provider, unless its VirtualNode says itself.',
        ),
        extraArgs: words('Further flags: "liqo virtual-kubelet --help" lists them.'),
        podLabels: wordMap('Labels for their pods.'),
        podAnnotations: wordMap('Annotations for their pods.'),
        nodeLabels: wordMap('Labels for their Nodes.'),
        nodeAnnotations: wordMap('Annotations for their Nodes.'),
        reflection: {
          about: `How many objects are reflected at a time, and which ones, by resource: ${reflectedResources.join(', ')}. As in "secret: { workers: 3, type: AllowList }"; 0 workers reflect nothing.`,
          schema: {
            type: 'object',
            propertyNames: { enum: reflectedResources },
            additionalProperties: reflector,
          },
        },
        labelsNotReflected: words('Keys of labels that objects do not have at the provider.'),
        annotationsNotReflected: words(
          'Keys of annotations that objects do not have at the provider.',
        ),
        metrics: {
          about: 'Where they answer /metrics, without asking callers who they are.',
          values: {
            enabled: yesOrNo('Whether they do.'),
            port: port('The port.'),
          },
        },
        requests: resources('What each of their pods requests.'),
        limits: resources(
          'What each of their pods may use: about 13 KiB of memory for each offloaded pod, and 100 MiB.',
        ),
      },
    },
    consumers: {
      about:
        'What consumers may put into the namespaces that are made here for them. Requests of your own users are not restricted.',
      values: {
        namespacePatterns: words(
          'The names that these namespaces may have: "*" stands for any text, "<consumer>" for the cluster ID of the consumer. "*-<consumer>" keeps consumers from names that you will need; whatever the patterns, names that are taken, reserved or granted rights are refused.',
        ),
        maxNamespaces: count('How many namespaces each consumer may have.'),
        maxPods: count('How many pods each consumer may have, in all of its namespaces.'),
        maxSlices: count('How many ResourceSlices of each consumer are accepted.'),
        pods: {
          about:
            'What their pods may be. The rules are in docs/offloading/pod-policy.md; the Pod Security level applies besides.',
          values: {
            volumeTypes: words('The types of their volumes.'),
            serviceAccounts: words(
              'The service accounts of their namespaces that their pods may run as, with tokens of this cluster, or "*" for all. None at first.',
            ),
            runtimeClasses: words('The runtime classes of their pods, or "*" for all.'),
            priorityClassName: {
              about: 'The priority class of their pods. The default of this cluster when empty.',
              schema: { type: 'string' },
            },
            deniedTolerations: words(
              'Taints that their pods may not tolerate, by the beginning of the key, or "*" for all. With an empty list they may also tolerate all taints.',
            ),
            deniedNodeLabels: words(
              'Labels by which their pods may not choose nodes, by the beginning of the key, or "*" for all.',
            ),
            deniedAnnotations: words(
              'Annotations and labels that are removed from their pods, by the beginning of the key, or "*" for all but those of Liqo: those that make runtimes and other controllers act with rights of their own.',
            ),
          },
        },
        serviceTypes: words(
          'The types of their Services. Ingress controllers may follow a Service of type "ExternalName" out of the namespace.',
        ),
        allowExternalIPs: yesOrNo(
          'Whether their Services may have external IPs, and choose the IP of their load balancer. Such a Service can take traffic of others.',
        ),
        ingressHosts: words(
          'The hosts of their Ingresses: "shop.example.org", "*.example.org" for all below it, or "*" for every host and none. None at first.',
        ),
        allowChosenVolumes: yesOrNo(
          'Whether their claims may choose a PersistentVolume: by name, by labels, or by having no storage class.',
        ),
        storageClasses: words('The storage classes of their claims, or "*" for all.'),
        deniedEndpointRanges: words(
          'Ranges of this cluster, besides those of its Nodes and Services, that endpoints of their Services may not be in: those of its pods, where Nodes have no spec.podCIDR.',
        ),
        allowedEndpointRanges: words(
          'Ranges that endpoints of their Services may be in although Nodes, pods or Services of this cluster are.',
        ),
        deniedAnnotations: words(
          'Annotations and labels that their objects may not have, by the beginning of the key: those that make other controllers act outside of the namespace.',
        ),
      },
    },
  },
};

export function isSection(guide: ValueGuide | Section): guide is Section {
  return 'values' in guide;
}
