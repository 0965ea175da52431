import type { HandlerResponse, ServiceRequest, Handler, World } from '../service';
import type { Contact, KeyRecord, KeyStore } from './keys';
import { ProblemError } from './problems';
import { resolvePublicKey, readToken, verifyToken } from './tokens';
import type { Claims } from './tokens';

type KeyRequest = ServiceRequest<{ PK: string }, { secret: string }, string>;
type ContactRequest = ServiceRequest<object, { email: string; phone: string; code?: string }>;

const contactClaims = ['devtoken', 'email', 'phone'] as const;

/** Handlers of the resource Key. */
export function keyHandlers(world: World, keys: KeyStore): Record<string, Handler> {
	/** Returns the record in the path after checking that its own key signed the token in the body. */
	const verifyOwnSignature = async ({ params, body, now }: KeyRequest, schema: string) => {
		const record = keys.get(params.PK);
		const decoded = readToken(body, schema);
		if (decoded.claims.sub !== params.PK) {
			throw new ProblemError(
				401,
				'auth-error',
				'The claim "sub" is not the fingerprint in the path.',
			);
		}
		await verifyToken(decoded, record.jwk, now);
		return { record, claims: decoded.claims };
	};

	return {
		async registerKey({ body, now }: ServiceRequest): Promise<HandlerResponse> {
			const decoded = readToken(body, 'KeyRegistrationClaims');
			const jwk = await resolvePublicKey(decoded);
			await verifyToken(decoded, jwk, now);
			const { sub } = decoded.claims;
			const secret = world.random.text(32);
			keys.add(sub, jwk, readContact(decoded.claims), secret);
			return { status: 201, body: { status: 'registered', secret, sub } };
		},

		getKey({ params }: KeyRequest): HandlerResponse {
			return { status: 200, body: showKey(keys.get(params.PK)) };
		},

		checkKey({ params }: KeyRequest): HandlerResponse {
			keys.get(params.PK);
			return { status: 200 };
		},

		async updateKey(request: KeyRequest): Promise<HandlerResponse> {
			const { record, claims } = await verifyOwnSignature(request, 'KeyUpdateClaims');
			Object.assign(record, readContact(claims));
			return confirmedResponse;
		},

		async replaceKey(request: KeyRequest): Promise<HandlerResponse> {
			const { record, claims } = await verifyOwnSignature(request, 'KeyReplacementClaims');
			const contact = readContact(claims);
			if (keys.isContactTaken(contact, record.fingerprint)) {
				throw new ProblemError(
					409,
					'duplicate-hash',
					'The email address or phone number belongs to another key.',
				);
			}
			for (const name of contactClaims) delete record[name];
			Object.assign(record, contact);
			return confirmedResponse;
		},

		revokeKey({ params, query }: KeyRequest): HandlerResponse {
			const record = keys.get(params.PK);
			if (query.secret !== record.secret) {
				throw new ProblemError(401, 'auth-error', 'The secret is wrong.');
			}
			keys.revoke(record);
			return { status: 200, body: { status: 'done' } };
		},

		revokeKeyByContact({ query }: ContactRequest): HandlerResponse {
			const record = keys.getByContact(query.email, query.phone);
			if (query.code === undefined) {
				keys.mailRevocationCode(record);
				return { status: 200, body: { status: 'pending' } };
			}
			const expected = keys.pendingCode(record.fingerprint);
			if (expected === undefined) {
				throw new ProblemError(
					409,
					'confirm-first',
					'No code was mailed, or it is no longer valid.',
				);
			}
			if (query.code !== expected) throw new ProblemError(401, 'auth-error', 'The code is wrong.');
			keys.revoke(record);
			return { status: 200, body: { status: 'done' } };
		},
	};
}

const confirmedResponse: HandlerResponse = { status: 200, body: { status: 'confirmed' } };

function readContact(claims: Claims): Contact {
	return Object.fromEntries(
		contactClaims
			.filter((name) => typeof claims[name] === 'string')
			.map((name) => [name, claims[name]]),
	);
}

/** Returns the public data of a key. An Ed25519 key is its own fingerprint; other keys are included. */
function showKey({ fingerprint, registeredAtMs, jwk }: KeyRecord) {
	const record = {
		sub: fingerprint,
		status: 'registered',
		since: new Date(registeredAtMs).toISOString(),
	};
	return jwk.kty === 'OKP' ? record : { ...record, jwk };
}
