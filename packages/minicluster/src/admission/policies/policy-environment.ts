import type { Environment } from '@marcbachmann/cel-js';
import { createCelLibrary } from '../../crd/rules/cel-environment.ts';
import { authorizerType, registerAuthorizer } from './cel-authorizer.ts';
import { PolicyVariables } from './policy-variables.ts';

const variablesType = 'kubernetes.variables';

let library: Environment | undefined;

/** Shared and never changed once it is there: the other environments are made from it. */
function policyLibrary(): Environment {
  library ??= createLibrary();
  return library;
}

function createLibrary(): Environment {
  const environment = createCelLibrary();
  registerAuthorizer(environment);
  return environment;
}

let evaluation: Environment | undefined;

/** In which expressions are evaluated. What a variable holds is known at that time only. */
export function evaluationEnvironment(): Environment {
  evaluation ??= createEvaluation();
  return evaluation;
}

function createEvaluation(): Environment {
  const environment = policyLibrary().clone();
  environment.registerType(variablesType, { ctor: PolicyVariables });
  for (const name of [
    'object',
    'oldObject',
    'request',
    'params',
    'namespaceObject',
    'variables',
    'authorizer',
  ]) {
    environment.registerVariable(name, 'dyn');
  }
  return environment;
}

/** What an expression of a policy may refer to. */
export interface ExpressionScope {
  readonly hasParams: boolean;
  readonly hasAuthorizer: boolean;
  /** Names of variables to their types; undefined where there is no `variables`. */
  readonly variables: ReadonlyMap<string, string> | undefined;
}

/** In which expressions are checked before they are accepted: with types, as far as the API server knows them. */
export function checkingEnvironment(scope: ExpressionScope): Environment {
  const environment = policyLibrary()
    .clone()
    .registerVariable('object', 'dyn')
    .registerVariable('oldObject', 'dyn');
  registerRequest(environment);
  registerNamespace(environment);
  if (scope.hasParams) environment.registerVariable('params', 'dyn');
  if (scope.hasAuthorizer) environment.registerVariable('authorizer', authorizerType);
  if (scope.variables) {
    const fields = Object.fromEntries(scope.variables);
    environment
      .registerType(variablesType, { ctor: PolicyVariables, fields })
      .registerVariable('variables', variablesType);
  }
  return environment;
}

/** `uid`, `object` and `oldObject` of an AdmissionRequest are not there. */
function registerRequest(environment: Environment): void {
  const [kind, resource, user, request] = [
    'kubernetes.GroupVersionKind',
    'kubernetes.GroupVersionResource',
    'kubernetes.UserInfo',
    'kubernetes.AdmissionRequest',
  ];
  const groupVersion = { group: 'string', version: 'string' };
  const extra = 'map<string, list<string>>';
  environment
    .registerType(kind, { fields: { ...groupVersion, kind: 'string' } })
    .registerType(resource, { fields: { ...groupVersion, resource: 'string' } })
    .registerType(user, {
      fields: { username: 'string', uid: 'string', groups: 'list<string>', extra },
    })
    .registerType(request, {
      fields: {
        kind,
        resource,
        subResource: 'string',
        requestKind: kind,
        requestResource: resource,
        requestSubResource: 'string',
        name: 'string',
        namespace: 'string',
        operation: 'string',
        userInfo: user,
        dryRun: 'bool',
        options: 'dyn',
      },
    })
    .registerOperator(`${kind} == ${kind}`, () => true)
    .registerOperator(`${resource} == ${resource}`, () => true)
    .registerVariable('request', request);
}

/** Owners and managed fields are left out, and the UID is misspelt, as on a real server. */
function registerNamespace(environment: Environment): void {
  const [metadata, spec, condition, status, namespace] = [
    'kubernetes.NamespaceMetadata',
    'kubernetes.NamespaceSpec',
    'kubernetes.NamespaceCondition',
    'kubernetes.NamespaceStatus',
    'kubernetes.Namespace',
  ];
  const [text, time] = ['string', 'google.protobuf.Timestamp'];
  environment
    .registerType(metadata, {
      fields: {
        name: text,
        generateName: text,
        namespace: text,
        labels: 'map<string, string>',
        annotations: 'map<string, string>',
        UID: text,
        creationTimestamp: time,
        deletionGracePeriodSeconds: 'int',
        deletionTimestamp: time,
        generation: 'int',
        resourceVersion: text,
        finalizers: 'list<string>',
      },
    })
    .registerType(spec, { fields: { finalizers: 'list<string>' } })
    .registerType(condition, {
      fields: {
        status: text,
        type: text,
        lastTransitionTime: time,
        message: text,
        reason: text,
      },
    })
    .registerType(status, { fields: { conditions: `list<${condition}>`, phase: text } })
    .registerType(namespace, { fields: { metadata, spec, status } })
    .registerOperator(`${namespace} == null`, () => false)
    .registerVariable('namespaceObject', namespace);
}
