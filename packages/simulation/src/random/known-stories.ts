import type { Story } from './generate-story.ts';
import stories from './known-stories.json' with { type: 'json' };

/** Stories that went wrong once, and what it was: they are played in every test run, for ever. */
export const knownStories = stories as readonly (Story & { readonly once: string })[];
