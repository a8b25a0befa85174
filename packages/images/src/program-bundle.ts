/** How esbuild makes one file of a program, for whatever runs it: an image, a benchmark, somebody's machine. */
export const programBundle = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  minify: true,
  // An uncaught error shows its line: it must not be the whole program.
  lineLimit: 200,
  banner: {
    // What is not a module of ECMAScript expects to find it.
    js: `import { createRequire } from 'node:module';const require = createRequire(import.meta.url);`,
  },
} as const;
