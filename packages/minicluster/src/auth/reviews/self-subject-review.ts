import { type Clock, formatTime } from '@liqo/kube';
import type { ReviewHandler } from './review-handler.ts';
import { userInfoOf } from './user-info.ts';

/** Who am I? `kubectl auth whoami`. Whatever was sent, the answer is a new object. */
export function reviewSelf(clock: Clock): ReviewHandler {
  return (_object, { user }) => {
    const review = {
      kind: 'SelfSubjectReview',
      apiVersion: 'authentication.k8s.io/v1',
      metadata: { creationTimestamp: formatTime(clock.now()) },
      status: { userInfo: userInfoOf(user) },
    };
    return review;
  };
}
