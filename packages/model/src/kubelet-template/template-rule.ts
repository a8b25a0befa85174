import type { VkOptionsTemplate } from '@liqo/api';

/** What a rule knows besides the value. */
export interface TemplateContext {
  /** Of the VirtualNode. */
  readonly name: string;
  readonly options: VkOptionsTemplate['spec'];
  /** The command line without the template. */
  readonly args: readonly string[];
}

export type TemplateLevel =
  | 'metadata'
  | 'spec'
  | 'spec.template.metadata'
  | 'spec.template.spec'
  | 'spec.template.spec.containers';

/** A field that `spec.template` of a VirtualNode may set, and a row of the published table. */
export interface TemplateRule {
  readonly at: TemplateLevel;
  readonly field: string;
  /** `used`: replaces what the options say. `ignored`: accepted, because Liqo fills it in, and without effect. */
  readonly fate: 'used' | 'ignored';
  readonly about: string;
  /** Why a value is refused, each as a clause that follows the name of the field. */
  readonly problems?: (value: unknown, context: TemplateContext) => readonly string[];
}
