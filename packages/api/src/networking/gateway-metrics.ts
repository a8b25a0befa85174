import { serviceTemplate } from '../embedded/service-template.ts';
import { templateMetadata } from '../embedded/template-metadata.ts';
import { boolean, list, object, preserved } from '../schema.ts';

/** A ServiceMonitor of the Prometheus operator; its own definition checks the details. */
const serviceMonitorSpec = preserved<{ readonly [field: string]: unknown }>(
  object({ required: { endpoints: list(preserved()), selector: preserved() } }),
);

/** How the metrics of a gateway are collected. */
export const gatewayMetrics = object({
  required: { enabled: boolean() },
  optional: {
    service: serviceTemplate,
    serviceMonitor: object({
      optional: { metadata: templateMetadata, spec: serviceMonitorSpec },
    }),
  },
});
