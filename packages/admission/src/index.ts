export { startWebhook } from './start-webhook.ts';
