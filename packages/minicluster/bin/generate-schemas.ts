import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GoField, GoStructs, type ModuleFolders } from './go-structs.ts';
import {
  type Definitions,
  type GroupVersionKind,
  mapValues,
  nameOfKind,
  type OpenApiSchema,
  reachable,
  withoutProse,
} from './openapi-definitions.ts';

const output = new URL('../src/schema/built-in-schemas.json', import.meta.url);
const goProject = fileURLToPath(new URL('../../../e2e/kubernetes', import.meta.url));

/** Everything the server has a type for, `<group>/<version>` first; the core group is empty. */
const servedKinds: Readonly<Record<string, string>> = {
  '/v1':
    'Binding ConfigMap Endpoints Event LimitRange Namespace Node PersistentVolume PersistentVolumeClaim Pod ' +
    'PodTemplate ReplicationController ResourceQuota Secret Service ServiceAccount',
  'admissionregistration.k8s.io/v1':
    'MutatingWebhookConfiguration ValidatingAdmissionPolicy ValidatingAdmissionPolicyBinding ' +
    'ValidatingWebhookConfiguration',
  'apiextensions.k8s.io/v1': 'CustomResourceDefinition',
  'apps/v1': 'ControllerRevision DaemonSet Deployment ReplicaSet StatefulSet',
  'authentication.k8s.io/v1': 'SelfSubjectReview TokenRequest TokenReview',
  'authorization.k8s.io/v1':
    'LocalSubjectAccessReview SelfSubjectAccessReview SelfSubjectRulesReview SubjectAccessReview',
  'autoscaling/v1': 'Scale',
  'autoscaling/v2': 'HorizontalPodAutoscaler',
  'batch/v1': 'CronJob Job',
  'certificates.k8s.io/v1': 'CertificateSigningRequest',
  'coordination.k8s.io/v1': 'Lease',
  'discovery.k8s.io/v1': 'EndpointSlice',
  'events.k8s.io/v1': 'Event',
  'networking.k8s.io/v1': 'Ingress IngressClass NetworkPolicy ServiceCIDR',
  'node.k8s.io/v1': 'RuntimeClass',
  'policy/v1': 'Eviction PodDisruptionBudget',
  'rbac.authorization.k8s.io/v1': 'ClusterRole ClusterRoleBinding Role RoleBinding',
  'scheduling.k8s.io/v1': 'PriorityClass',
  'storage.k8s.io/v1': 'CSIDriver CSINode StorageClass VolumeAttachment',
};

/**
 * Writes the types of the built-in kinds. Takes the folder of the Go module `k8s.io/kubernetes`, whose siblings
 * `api`, `apimachinery` and `apiextensions-apiserver` must be beside it, or asks `go` where it is.
 */
function main([folder = folderOfKubernetes()]: string[]): void {
  const all = readDefinitions(join(folder, 'api/openapi-spec/v3'));
  const roots = listKinds().map((kind) => nameOfKind(all, kind));
  const structs = new GoStructs(siblingModules(folder));
  const definitions = mapValues(reachable(all, roots), (schema, name) =>
    withGoTypes(withoutProse(schema), name, structs),
  );
  writeFileSync(output, render(definitions));
  execFileSync('npx', ['biome', 'format', '--write', fileURLToPath(output)]);
  process.stdout.write(`Wrote ${Object.keys(definitions).length} definitions\n`);
}

function folderOfKubernetes(): string {
  const question = ['list', '-m', '-f', '{{.Dir}}', 'k8s.io/kubernetes'];
  return execFileSync('go', question, { cwd: goProject, encoding: 'utf8' }).trim();
}

function listKinds(): GroupVersionKind[] {
  return Object.entries(servedKinds).flatMap(([groupVersion, kinds]) => {
    const [group = '', version = ''] = groupVersion.split('/');
    return kinds.split(' ').map((kind) => ({ group, version, kind }));
  });
}

function readDefinitions(folder: string): Definitions {
  const documents = readdirSync(folder).filter((name) => name.endsWith('_openapi.json'));
  const parts = documents.sort().map((name) => {
    const { components } = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    return (components?.schemas ?? {}) as Definitions;
  });
  return Object.assign({}, ...parts);
}

/** Kubernetes v1.x.y is made of modules v0.x.y. */
function siblingModules(folder: string): ModuleFolders {
  const version = basename(folder).replace(/^kubernetes@v1\./, 'v0.');
  const names = ['api', 'apimachinery', 'apiextensions-apiserver'];
  return Object.fromEntries(
    names.map((name) => [`k8s.io/${name}`, join(dirname(folder), `${name}@${version}`)]),
  );
}

function withGoTypes(schema: OpenApiSchema, name: string, structs: GoStructs): OpenApiSchema {
  if (!schema.properties) return schema;
  const [importPath, typeName] = goNameOf(name);
  const fields = structs.fieldsOf(importPath, typeName);
  if (!fields) throw new Error(`Cannot find struct "${typeName}" in package "${importPath}"`);
  const byName = new Map(fields.map((field) => [field.jsonName, field]));
  const properties = mapValues(schema.properties, (property, jsonName) => {
    const field = byName.get(jsonName);
    if (!field) {
      throw new Error(`Cannot find field "${jsonName}" of "${typeName}" in "${importPath}"`);
    }
    return { ...property, ...goExtensions(field) };
  });
  return { ...schema, properties };
}

function goExtensions({ type, omit, embedded }: GoField): OpenApiSchema {
  const isNoteworthy = embedded !== undefined && embedded !== 'TypeMeta';
  return {
    'x-go-type': omit ? `${type},${omit}` : type,
    ...(isNoteworthy && { 'x-go-embedded': embedded }),
  };
}

/** `io.k8s.api.core.v1.Pod` is `Pod` of `k8s.io/api/core/v1`. */
function goNameOf(definition: string): [importPath: string, typeName: string] {
  const parts = definition.replace(/^io\.k8s\./, 'k8s.io.').split('.');
  const path = parts.slice(2, -1);
  return [`k8s.io/${path.join('/')}`, parts.at(-1) ?? ''];
}

/** In an order of its own, so that only what has changed looks changed. */
function render(definitions: Definitions): string {
  return JSON.stringify(sortKeys(definitions));
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sortKeys(member)]));
}

main(process.argv.slice(2));
