import axios from 'axios';
import type { AxiosResponse } from 'axios';
import { createPrivateKey, randomUUID, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

import type { Sandbox } from '../../sandbox/server';

/** A key pair that a test holds. Node's own crypto signs with it, and no code of the sandbox. */
export interface KeyHolder {
	fingerprint: string;
	privateKey: KeyObject;
}

const encodeJson = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Returns a compact token, signed as a client would sign it. */
export function signToken(
	claims: object,
	{ privateKey }: Pick<KeyHolder, 'privateKey'>,
	header: object = {},
): string {
	const signedPart = `${encodeJson({ alg: 'EdDSA', ...header })}.${encodeJson(claims)}`;
	return `${signedPart}.${sign(null, Buffer.from(signedPart), privateKey).toString('base64url')}`;
}

export type Response = AxiosResponse<Record<string, unknown>>;

/** A client of one identity service. It returns every response and throws for no status. */
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
			// axios would put quotes around a string that is sent as JSON.
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

	/** Returns the demo user's answer to a job, signed as a phone would sign it. */
	signAnswer(claims: object = {}): string {
		const { user } = this.sandbox.demo;
		return signToken({ sub: user.fingerprint, email: user.email, ...claims }, importKeyOf(user));
	}

	/** Submits an answer to a job: the given one, or the demo user's. */
	completeJob(job: string, body = this.signAnswer()): Promise<Response> {
		return this.send('PUT', `/scope/${job}`, body);
	}

	/** Changes settings of the service, as a control request would. */
	changeSettings(changes: object): void {
		Object.assign(this.sandbox.settings.passwordlessIdentity, changes);
	}

	async createJob(claims: object = {}, query = ''): Promise<string> {
		const { status, data } = await this.issueJob(claims, query);
		if (status !== 201) throw new Error(`issue answered ${status} ${JSON.stringify(data)}`);
		return data.job as string;
	}
}

/** Imports the private key of a demo identity into Node's crypto. */
export function importKeyOf({ privateJwk }: { privateJwk: object }): Pick<KeyHolder, 'privateKey'> {
	return { privateKey: createPrivateKey({ key: privateJwk as never, format: 'jwk' }) };
}
