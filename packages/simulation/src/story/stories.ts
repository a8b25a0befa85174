import { offloadingStory } from './offloading-story.ts';
import { peeringStory } from './peering-story.ts';
import { reflectionStory } from './reflection-story.ts';
import type { Story } from './story.ts';

/** All that are swept. */
export const stories: readonly Story[] = [offloadingStory, peeringStory, reflectionStory];
