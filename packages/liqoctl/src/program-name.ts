/** How the user has started it: by its own name, or as a plugin of kubectl. */
export type ProgramName = 'liqoctl' | 'kubectl liqo';

/** By the path that was run. kubectl looks for `kubectl-liqo` when it is asked for `kubectl liqo`. */
export function programName(path: string | undefined): ProgramName {
  return /(^|[\\/])kubectl-liqo(\.\w+)?$/.test(path ?? '') ? 'kubectl liqo' : 'liqoctl';
}

/** Words for people, whose commands can be run as the user runs them. */
export function asStarted(text: string, program: ProgramName = 'liqoctl'): string {
  return program === 'liqoctl' ? text : text.replace(/\bliqoctl(?= [a-z<-])/g, program);
}
