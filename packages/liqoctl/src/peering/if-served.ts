import { isForbidden, isNotFound } from '@liqo/kube';

/** Work on a kind that may not be served, where its definition is gone already: then there is nothing of it. */
export async function ifServed<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isNotFound(error)) return otherwise;
    throw error;
  }
}

/** Work that a person with few rights does without. */
export async function ifAllowed<T>(work: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (isForbidden(error)) return otherwise;
    throw error;
  }
}
