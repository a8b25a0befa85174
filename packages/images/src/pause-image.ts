import { type Architecture, type Image, ownArchitecture } from './image.ts';
import { forgePauseProgram } from './pause-program.ts';

export const pauseImageName = 'localhost/pause:1';

/** The image of the container that every pod has first, and that holds the network the others share. */
export function pauseImage(architecture: Architecture = ownArchitecture()): Image {
  const content = [forgePauseProgram(architecture)];
  return {
    name: pauseImageName,
    architecture,
    config: { entrypoint: ['/pause'], user: '65535:65535' },
    layers: [[{ type: 'file', path: 'pause', mode: 0o755, content }]],
  };
}
