import { type CustomResourceDefinition, defineKind, type KubeObject } from '@liqo/kube';

/** A custom kind with a bit of everything: defaults, bounds, an immutable field, a keyed list, status and scale. */
export const Gadget = defineKind<KubeObject>({
  apiVersion: 'compare.example/v1',
  kind: 'Gadget',
  plural: 'gadgets',
  scope: 'Namespaced',
});

const part = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, count: { type: 'integer', default: 1 } },
};

const spec = {
  type: 'object',
  required: ['model'],
  properties: {
    size: { type: 'integer', minimum: 1, maximum: 10, default: 3 },
    model: {
      type: 'string',
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'model is immutable' }],
    },
    colour: { type: 'string', enum: ['red', 'green'], default: 'red' },
    parts: {
      type: 'array',
      items: part,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    labels: { type: 'object', additionalProperties: { type: 'string' } },
  },
};

const status = {
  type: 'object',
  properties: {
    phase: { type: 'string', enum: ['Ready', 'Waiting'] },
    count: { type: 'integer' },
  },
};

export const gadgetDefinition: CustomResourceDefinition = {
  metadata: { name: 'gadgets.compare.example' },
  spec: {
    group: 'compare.example',
    scope: 'Namespaced',
    names: { plural: 'gadgets', kind: 'Gadget' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', properties: { spec, status } } },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.count' },
        },
      },
    ],
  },
};
