/** A door of its own: real clusters take much to load, and embedded ones can do without. */
export { builtKubectl } from './built-kubectl.ts';
export { type RealKubernetes, type RealOptions, realKubernetes } from './real-kubernetes.ts';
