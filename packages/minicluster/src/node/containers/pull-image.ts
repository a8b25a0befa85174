import type { ContainerEvent } from '../kubelet-events.ts';
import { PullBackoff } from './crash-backoff.ts';

export interface PullParts {
  /** It may become another one while this one cannot be had. */
  image(): string;
  /** Asked before every try. */
  fails(): boolean;
  /** Whether the time passed before the container was stopped. */
  pause(ms: number): Promise<boolean>;
  wait(reason: string, message: string): void;
  record(event: ContainerEvent): void;
}

/** How long a failed pull shows as such before it shows as waiting for the next one. */
const pullErrorMs = 1_000;

/** Tries until the image is there. Whether it is: not when the container was stopped meanwhile. */
export async function pullImage(parts: PullParts): Promise<boolean> {
  const backoff = new PullBackoff();
  while (parts.fails()) {
    const image = parts.image();
    const fact = `failed to pull and unpack image "${image}": not found`;
    tellFailure(parts, image, fact);
    parts.wait('ErrImagePull', fact);
    if (!(await parts.pause(pullErrorMs))) return false;
    parts.wait('ImagePullBackOff', `Back-off pulling image "${image}": ErrImagePull: ${fact}`);
    parts.record(normal('BackOff', `Back-off pulling image "${image}"`));
    parts.record(warning('Error: ImagePullBackOff'));
    if (!(await parts.pause(backoff.next() - pullErrorMs))) return false;
  }
  const present = `Container image "${parts.image()}" already present on machine`;
  parts.record(normal('Pulled', `${present} and can be accessed by the pod`));
  return true;
}

function tellFailure({ record }: PullParts, image: string, fact: string): void {
  record(normal('Pulling', `Pulling image "${image}"`));
  record(warning(`Failed to pull image "${image}": ${fact}`));
  record(warning('Error: ErrImagePull'));
}

function normal(reason: string, message: string) {
  return { type: 'Normal', reason, message } as const;
}

function warning(message: string) {
  return { type: 'Warning', reason: 'Failed', message } as const;
}
