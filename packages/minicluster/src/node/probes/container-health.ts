/** Whether a run of a container has come up, and may be sent work. */
export interface ContainerHealth extends Disposable {
  readonly started: boolean;
  readonly ready: boolean;
}
