import type { HandlerResponse, ServiceRequest, Handler } from '../service';
import type { KeyStore } from './keys';
import { ProblemError } from './problems';
import type { PasswordlessIdentitySettings } from './settings';
import { readToken, signToken } from './tokens';
import { verifySigner } from './verifySigner';

type LoginRequest = ServiceRequest<object, { callback: string }, string>;

/** Handlers of the resource Login. The callback is never called: the sandbox stays on loopback. */
export function loginHandlers(
	settings: PasswordlessIdentitySettings,
	keys: KeyStore,
): Record<string, Handler> {
	return {
		async completeLogin({ query, body, now }: LoginRequest): Promise<HandlerResponse> {
			const decoded = readToken(body, 'LoginClaims');
			await verifySigner(decoded, keys, now);
			const { sub, aud } = decoded.claims;
			if (!keys.find(sub)) {
				throw new ProblemError(401, 'auth-error', 'The subject is not a registered key.');
			}
			if (!listCallbackNames(query.callback).has(String(aud))) {
				throw new ProblemError(
					401,
					'aud-error',
					'The audience of the token does not name the callback.',
				);
			}
			if (settings.loginAnswer === 'json') return { status: 200, body: { status: 'sent' } };
			const key = keys.serviceKey;
			const claims = { iss: key.fingerprint, sub, aud: query.callback, status: 'sent' };
			return {
				status: 200,
				body: await signToken(claims, key, 300),
				contentType: 'application/jwt',
			};
		},
	};
}

/** Returns every name of a callback that an audience may contain: its address, its origin, its host. */
function listCallbackNames(callback: string): Set<string> {
	const { origin, host, hostname } = new URL(callback);
	return new Set([callback, origin, `${origin}/`, host, hostname]);
}
