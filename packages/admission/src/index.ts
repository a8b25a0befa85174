export { startReviewer } from './start-reviewer.ts';
export { startWebhook } from './start-webhook.ts';
