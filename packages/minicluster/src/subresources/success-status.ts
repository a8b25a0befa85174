/** What the server answers when there is nothing else to say. */
export function successStatus(code: number): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code };
}
