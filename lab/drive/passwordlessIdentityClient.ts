import axios from 'axios';
import type { AxiosResponse } from 'axios';
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { Sandbox } from '../../sandbox/server';

/** A key pair that a test holds, with Node's own crypto: nothing of the sandbox signs for it. */
export interface KeyHolder {
	fingerprint: string;
	privateKey: KeyObject;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** A compact token, signed as a client would. */
export function signToken(
	claims: object,
	{ privateKey }: Pick<KeyHolder, 'privateKey'>,
	header: object = {},
): string {
	const text = `${encode({ alg: 'EdDSA', ...header })}.${encode(claims)}`;
	return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
}

export type Response = AxiosResponse<Record<string, unknown>>;

/** A client of one identity service that treats every status as an answer. */
export class PasswordlessIdentityClient {
	constructor(readonly sandbox: Sandbox) {}

	send(
		method: string,
		path: string,
		body?: unknown,
		contentType = 'application/jwt',
	): Promise<Response> {
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

	async register(holder: KeyHolder, claims: object = {}): Promise<Response> {
		return await this.send(
			'POST',
			'/key',
			signToken({ sub: holder.fingerprint, ...claims }, holder),
		);
	}

	/** Issues a job signed by the demo application, by default for the demo user. */
	issueJob(claims: object = {}, query = ''): Promise<Response> {
		const { application, user } = this.sandbox.demo;
		return this.send(
			'POST',
			`/scope${query}`,
			signToken(
				{
					iss: application.fingerprint,
					sub: user.fingerprint,
					scope: 'email~r profile',
					jti: randomUUID(),
					...claims,
				},
				importKeyOf(application),
			),
		);
	}

	/** The demo user's answer to a job, as a phone would sign it. */
	signAnswer(claims: object = {}): string {
		const { user } = this.sandbox.demo;
		return signToken({ sub: user.fingerprint, email: user.email, ...claims }, importKeyOf(user));
	}

	/** Submits an answer to a job: the given one, or the demo user's. */
	completeJob(job: string, body = this.signAnswer()): Promise<Response> {
		return this.send('PUT', `/scope/${job}`, body);
	}

	/** A setting, as control would change it. */
	changeSettings(changes: object): void {
		Object.assign(this.sandbox.settings.passwordlessIdentity, changes);
	}

	async createJob(claims: object = {}, query = ''): Promise<string> {
		const { status, data } = await this.issueJob(claims, query);
		if (status !== 201) throw new Error(`issue answered ${status} ${JSON.stringify(data)}`);
		return data.job as string;
	}
}

/** The private key of a demo identity as Node knows it. */
export function importKeyOf({ privateJwk }: { privateJwk: object }): Pick<KeyHolder, 'privateKey'> {
	return { privateKey: createPrivateKey({ key: privateJwk as never, format: 'jwk' }) };
}
