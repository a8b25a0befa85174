import type { TokenReview } from 'kubernetes-types/authentication/v1.d.ts';
import { badRequest } from '../../rest/refusal.ts';
import type { Authenticator } from '../authenticator.ts';
import type { ReviewHandler } from './review-handler.ts';
import { userInfoOf } from './user-info.ts';

/** Whose token is this, and is it meant for me? */
export function reviewToken(authenticator: Authenticator): ReviewHandler {
  return (object) => {
    const { token, audiences } = (object as TokenReview).spec;
    if (!token) throw badRequest('token is required for TokenReview in authentication');
    const verdict = authenticator.authenticateToken(token, audiences);
    const status =
      'user' in verdict
        ? { authenticated: true, user: userInfoOf(verdict.user), audiences: verdict.audiences }
        : { user: {}, error: verdict.fault };
    const answer = { ...object, status };
    return answer;
  };
}
