import axios from 'axios';
import type { AxiosResponse } from 'axios';
import { createHmac } from 'node:crypto';

import type { Sandbox } from '../../sandbox/server';

export type TwoFactorResponse = AxiosResponse<Record<string, unknown>>;

/** The seeded users: the first has no app and never confirmed a code, the second has both. */
export const seededUserIds = { plain: 100001, withApp: 100002 };

/** A client of one two-factor service. It returns every response and throws for no status. */
export class TwoFactorClient {
	constructor(readonly sandbox: Sandbox) {}

	send(
		method: string,
		path: string,
		body?: unknown,
		headers: object = {},
	): Promise<TwoFactorResponse> {
		const { apiKey, headerName } = this.sandbox.demo.twoFactor;
		return axios.request({
			method,
			url: this.sandbox.addresses.twoFactor + path,
			data: typeof body === 'object' ? JSON.stringify(body) : body,
			// axios would put quotes around a string that is sent as JSON.
			transformRequest: (data: unknown) => data,
			headers: { [headerName]: apiKey, 'content-type': 'application/json', ...headers },
			validateStatus: () => true,
		});
	}

	get(path: string): Promise<TwoFactorResponse> {
		return this.send('GET', path);
	}

	enroll(cellphone: string, fields: object = {}, user: object = {}): Promise<TwoFactorResponse> {
		return this.send('POST', '/protected/json/users/new', {
			user: { email: 'someone@example.com', country_code: '1', cellphone, ...user },
			...fields,
		});
	}

	/** Enrolls a user and returns the ID. */
	async createUser(cellphone = '202-555-0100'): Promise<number> {
		const { data } = await this.enroll(cellphone);
		return (data.user as { id: number }).id;
	}

	/** Returns the SMS and calls to a number, oldest first. */
	listMessages(phone: string) {
		return this.sandbox.world.phone.items({ phone }) as Array<{
			kind: string;
			text: string;
			code: string;
		}>;
	}

	control(action: string, input: object = {}): Promise<TwoFactorResponse> {
		return axios.post(`${this.sandbox.controlUrl}/twoFactor/${action}`, input, {
			validateStatus: () => true,
		});
	}

	/** Changes settings of the service, as a control request would. */
	changeSettings(changes: object): void {
		Object.assign(this.sandbox.settings.twoFactor, changes);
	}

	/** Computes the current code of a user's authenticator app from its secret (RFC 6238). */
	async computeAppCode(id: number, stepsAhead = 0): Promise<string> {
		const { data } = await this.control('users', { twofactor_id: id });
		const [{ secret }] = data as unknown as [{ secret: string }];
		const step = Math.floor(this.sandbox.clock.now() / 30_000) + stepsAhead;
		return computeTotp(secret, step);
	}
}

function computeTotp(secret: string, step: number): string {
	const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
	const bits = [...secret].map((letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0'));
	const bytes = bits
		.join('')
		.match(/.{8}/g)!
		.map((byte) => parseInt(byte, 2));
	const counter = Buffer.alloc(8);
	counter.writeBigUInt64BE(BigInt(step));
	const hash = createHmac('sha1', Buffer.from(bytes)).update(counter).digest();
	const offset = hash[hash.length - 1]! & 15;
	return String((hash.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}
