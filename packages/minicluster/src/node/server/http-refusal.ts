/** A request that is answered with a status and a plain text, as kubelets do. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
