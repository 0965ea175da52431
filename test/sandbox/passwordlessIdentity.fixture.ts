import axios from 'axios';
import type { AxiosResponse } from 'axios';
import {
	createPrivateKey,
	createPublicKey,
	generateKeyPairSync,
	randomUUID,
	sign,
	verify,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import { passwordlessIdentity } from '../../sandbox/passwordlessIdentity';
import type { Sandbox } from '../../sandbox/server';
import { useSandbox } from '../support/sandbox';

/** A key pair that a test holds, with Node's own crypto: nothing of the sandbox signs for it. */
export interface Holder {
	fingerprint: string;
	privateKey: KeyObject;
}

export function newHolder(): Holder {
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	return { fingerprint: publicKey.export({ format: 'jwk' }).x as string, privateKey };
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A compact token, signed as a client would. */
export function token(
	claims: object,
	{ privateKey }: Pick<Holder, 'privateKey'>,
	header: object = {},
): string {
	const text = `${encode({ alg: 'EdDSA', ...header })}.${encode(claims)}`;
	return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

/** Claims of a token that were not checked. */
export function claimsOf(jwt: string): Record<string, unknown> {
	return JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString()) as never;
}

export type Reply = AxiosResponse<Record<string, unknown>>;

/** A client of one identity service that treats every status as an answer. */
export class PasswordlessIdentityClient {
	constructor(readonly sandbox: Sandbox) {}

	send(
		method: string,
		path: string,
		body?: unknown,
		contentType = 'application/jwt',
	): Promise<Reply> {
		return axios.request({
			method,
			url: this.sandbox.addresses.passwordlessIdentity + path,
			data: typeof body === 'object' ? JSON.stringify(body) : body,
			// axios would put quotes around a string that goes out as JSON.
			transformRequest: (data: unknown) => data,
			headers: body === undefined ? {} : { 'content-type': contentType },
			validateStatus: () => true,
		});
	}

	async register(holder: Holder, claims: object = {}): Promise<Reply> {
		return await this.send('POST', '/key', token({ sub: holder.fingerprint, ...claims }, holder));
	}

	/** Issues a job signed by the demo application, by default for the demo user. */
	issue(claims: object = {}, query = ''): Promise<Reply> {
		const { application, user } = this.sandbox.demo;
		return this.send(
			'POST',
			`/scope${query}`,
			token(
				{
					iss: application.fingerprint,
					sub: user.fingerprint,
					scope: 'email~r profile',
					jti: randomUUID(),
					...claims,
				},
				keyOf(application),
			),
		);
	}

	/** The demo user's answer to a job, as a phone would sign it. */
	answer(claims: object = {}): string {
		const { user } = this.sandbox.demo;
		return token({ sub: user.fingerprint, email: user.email, ...claims }, keyOf(user));
	}

	/** Puts an answer to a job; the demo user's unless told. */
	complete(job: string, body = this.answer()): Promise<Reply> {
		return this.send('PUT', `/scope/${job}`, body);
	}

	/** A setting, as control would change it. */
	set(changes: object): void {
		Object.assign(this.sandbox.settings.passwordlessIdentity, changes);
	}

	async newJob(claims: object = {}, query = ''): Promise<string> {
		const { status, data } = await this.issue(claims, query);
		if (status !== 201) throw new Error(`issue answered ${status} ${JSON.stringify(data)}`);
		return data.job as string;
	}
}

/** Whether the key behind a fingerprint signed a token, by Node's own crypto. */
export function verifies(jwt: string, fingerprint: string): boolean {
	const [header, payload, signature] = jwt.split('.') as [string, string, string];
	const key = createPublicKey({
		key: { kty: 'OKP', crv: 'Ed25519', x: fingerprint },
		format: 'jwk',
	});
	const text = Buffer.from(`${header}.${payload}`);
	return verify(null, text, key, Buffer.from(signature, 'base64url'));
}

/** The private key of a demo identity as Node knows it. */
export function keyOf({ privateJwk }: { privateJwk: object }): Pick<Holder, 'privateKey'> {
	return { privateKey: createPrivateKey({ key: privateJwk as never, format: 'jwk' }) };
}

/** A client of the identity service alone, fresh for each test of a file. */
export const usePasswordlessIdentity = (): PasswordlessIdentityClient =>
	new PasswordlessIdentityClient(useSandbox({ services: [passwordlessIdentity] }));

/** The error that the service's shape wants for a status and a label. */
export function problem(status: number, label: string) {
	return {
		error: status,
		type: expect.stringMatching(new RegExp(`/${label}$`)) as string,
		title: expect.stringMatching(/\S/) as string,
		detail: expect.stringMatching(/\S/) as string,
	};
}
