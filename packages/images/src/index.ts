export { busyboxImage, busyboxImageName } from './busybox-image.ts';
export type { Image } from './image.ts';
export { liqoImage, liqoImageName } from './liqo-image.ts';
export { nodeImage } from './node-image.ts';
export { packImage } from './pack-image.ts';
export { pauseImage, pauseImageName } from './pause-image.ts';
export { programBundle } from './program-bundle.ts';
