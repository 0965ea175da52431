import axios from 'axios';
import type { AxiosResponse } from 'axios';
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { Sandbox } from '../../sandbox/server';

/** A key pair that a test holds, with Node's own crypto: nothing of the sandbox signs for it. */
export interface Holder {
	fingerprint: string;
	privateKey: KeyObject;
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

	/** Submits an answer to a job: the given one, or the demo user's. */
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

/** The private key of a demo identity as Node knows it. */
export function keyOf({ privateJwk }: { privateJwk: object }): Pick<Holder, 'privateKey'> {
	return { privateKey: createPrivateKey({ key: privateJwk as never, format: 'jwk' }) };
}
