import type { KubeObject } from '@liqo/kube';
import type { ApiRequest } from '../../rest/api-request.ts';

/**
 * Answers the creation of something that is not kept: a question, given back with its answer. The object is decoded,
 * in the namespace of its path, and has its managedFields; a refusal is a thrown `ApiError`.
 */
export type ReviewHandler = (object: KubeObject, request: ApiRequest) => KubeObject;
