import type { ContainerRunner } from '../containers/container-runner.ts';

/** What commands have written into containers: there until the container ends, as in a container's own file system. */
export class WrittenFiles {
  readonly #byRun = new WeakMap<object, Map<string, Uint8Array>>();

  /** Of the run that goes on; every run has provisions of its own. */
  of({ provisions }: ContainerRunner): Map<string, Uint8Array> {
    const known = provisions && this.#byRun.get(provisions);
    const files = known ?? new Map<string, Uint8Array>();
    if (provisions) this.#byRun.set(provisions, files);
    return files;
  }
}
