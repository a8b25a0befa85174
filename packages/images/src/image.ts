import type { Entry, EntryRules } from './entry.ts';

export type Architecture = 'amd64' | 'arm64';

/** How a container of the image starts, unless its pod says otherwise. */
export interface ImageConfig {
  readonly entrypoint?: readonly string[];
  readonly cmd?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Numeric, so that a kubelet can tell that it is not root: `65532:65532`. */
  readonly user?: string;
  readonly workdir?: string;
  readonly labels?: Readonly<Record<string, string>>;
  /** `8080/tcp` */
  readonly exposedPorts?: readonly string[];
}

export interface Image extends EntryRules {
  /** With a registry and a tag, so that everything that takes it calls it the same: `localhost/pause:1`. */
  readonly name: string;
  readonly architecture: Architecture;
  readonly config: ImageConfig;
  /** What changes rarely goes first: a layer that is already there is not transferred again. */
  readonly layers: readonly (readonly Entry[])[];
}

/** The architecture of this machine, in the words of images. */
export function ownArchitecture(): Architecture {
  if (process.arch === 'x64') return 'amd64';
  if (process.arch === 'arm64') return 'arm64';
  throw new Error(`Cannot make an image for "${process.arch}": only x64 and arm64 are known`);
}

const name =
  /^(?<host>[a-z0-9.-]+(:\d+)?)(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+:(?<tag>\w[\w.-]{0,127})$/;

/** The tag of an image's name. */
export function checkName(image: string): string {
  const { host = '', tag = '' } = name.exec(image)?.groups ?? {};
  if (host === 'localhost' || /[.:]/.test(host)) return tag;
  throw new Error(
    `Cannot pack image "${image}": its name must have a registry and a tag, in lower case, like "localhost/pause:1"`,
  );
}
