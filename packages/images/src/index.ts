export { busyboxImage, busyboxImageName } from './busybox-image.ts';
export type {
  Content,
  Entry,
  EntryRules,
  FileEntry,
  FileRange,
  FolderEntry,
  SymlinkEntry,
} from './entry.ts';
export type { Architecture, Image, ImageConfig } from './image.ts';
export { liqoImage, liqoImageName } from './liqo-image.ts';
export { type NodeImageOptions, nodeImage } from './node-image.ts';
export { type PackedImage, type PackOptions, packImage } from './pack-image.ts';
export { pauseImage, pauseImageName } from './pause-image.ts';
export { programBundle } from './program-bundle.ts';
export { readFolder } from './read-folder.ts';
