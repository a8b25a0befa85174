/** A command, and what it shows. */
export type Try = readonly [command: string, shows: string];
