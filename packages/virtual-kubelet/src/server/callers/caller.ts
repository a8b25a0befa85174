/** Who asks. */
export interface Caller {
  readonly name: string;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, string[]>> | undefined;
}
