import { calculateJwkThumbprint } from 'jose';
import type { IDataObject, NodeApiError } from 'n8n-workflow';
import { generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';

import { keyCache } from '../../../nodes/PasswordlessIdentity/keyCache';
import { deriveDemoKey } from '../../../sandbox/demoIdentities';
import type { DemoKey } from '../../../sandbox/demoIdentities';
import { passwordlessIdentity } from '../../../sandbox/passwordlessIdentity';
import type { PasswordlessIdentitySettings } from '../../../sandbox/passwordlessIdentity/settings';
import { openRig } from '../../support/sandboxRig';
import type { Rig } from '../../support/sandboxRig';
import { startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';

type Extra = Parameters<Rig['run']>[3];

/** A rig with the identity service alone, and shorthands for what these tests do again and again. */
export interface IdentityRig extends Rig {
	/** Runs an operation for each input item, by default as the demo application. */
	op: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
		input?: IDataObject[],
		extra?: Extra,
	) => ReturnType<Rig['run']>;
	/** The only output of an operation that must succeed. */
	one: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
	) => Promise<IDataObject>;
	/** The error of an operation that must fail. */
	fail: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
	) => Promise<{ message: string; description: string; httpCode?: string | null }>;
	/** Uses another key or other settings in the credential until the next call. */
	credential: (changes: {
		privateKey?: string;
		algorithm?: string;
		issuer?: string;
		baseUrl?: string;
		acceptedKeyStatuses?: string;
		ignoreSslIssues?: boolean;
	}) => void;
	set: (settings: Partial<PasswordlessIdentitySettings>) => void;
	/** Issues a job for the demo user and gives its id. */
	newJob: (parameters?: object) => Promise<string>;
	approve: (job: string, claims?: object) => Promise<string>;
	/** Waits for a job of the demo user, looking every second. */
	wait: (job: string, options?: object, parameters?: object) => Promise<IDataObject>;
	/** Registers a person, whose key the credential then holds. */
	registered: (name?: string) => Promise<DemoKey & { secret: string }>;
	/** One more person whose key the sandbox holds. */
	addUser: (name: string, contact?: { email?: string; phone?: string }) => DemoKey;
	/** Counts the requests of one kind. */
	count: (operationId: string) => number;
	/** A server that answers as a test likes; it is closed together with the rig. */
	toy: () => Promise<ToyServer>;
	/** Calls `act` as soon as a job has been polled, so that it was seen outstanding. */
	onFirstPoll: (act: () => unknown) => void;
}

async function until(holds: () => boolean): Promise<void> {
	for (let tries = 0; tries < 400 && !holds(); tries++) await delay(25);
}

/** Opens it. */
export async function openIdentityRig(): Promise<IdentityRig> {
	const rig = await openRig({ services: [passwordlessIdentity] });
	const { sandbox, kit } = rig;
	const original = kit.credentialData.passwordlessIdentityApi!;

	const op: IdentityRig['op'] = async (resource, operation, parameters = {}, input, extra) =>
		// With all that is there: what Simplify leaves of it is for the tests of previews.
		await rig.run(
			'passwordlessIdentity',
			{ resource, operation, simplify: false, ...parameters },
			input,
			extra,
		);
	const one: IdentityRig['one'] = async (resource, operation, parameters) => {
		const { outputItems, error } = await op(resource, operation, parameters);
		if (error) throw error;
		expect(outputItems).toHaveLength(1);
		return outputItems[0]!;
	};
	const credential: IdentityRig['credential'] = (changes) => {
		kit.credentialData.passwordlessIdentityApi = { ...original, ...changes };
	};
	const toys: ToyServer[] = [];
	return {
		...rig,
		op,
		one,
		toy: async () => {
			const server = await startToyServer();
			toys.push(server);
			return server;
		},
		close: async () => {
			await Promise.all([rig, ...toys].map(async (open) => await open.close()));
		},
		fail: async (resource, operation, parameters) => {
			const { error } = await op(resource, operation, parameters);
			expect(error).toBeDefined();
			const { message, description, httpCode } = error as NodeApiError;
			return { message, description: description ?? '', httpCode };
		},
		credential,
		wait: async (job, options, parameters) =>
			await one('scopeJob', 'waitUntilFinished', {
				job,
				expectedSubject: sandbox.demo.user.fingerprint,
				waitLimit: 20,
				options: { checkEvery: 1, ...options },
				...parameters,
			}),
		registered: async (name = 'somebody new') => {
			const key = deriveDemoKey(name);
			credential({ privateKey: key.privatePem });
			return { ...key, ...(await one('key', 'register')) } as DemoKey & { secret: string };
		},
		set: (settings) => void Object.assign(sandbox.settings.passwordlessIdentity, settings),
		newJob: async (parameters) =>
			`${(await one('scopeJob', 'issue', { subject: sandbox.demo.user.fingerprint, ...parameters })).id}`,
		approve: async (job, claims) => {
			const done = await (sandbox.control('passwordlessIdentity', 'approve', {
				job,
				claims,
			}) as Promise<{
				token: string;
			}>);
			return done.token;
		},
		addUser: (name, contact = {}) =>
			sandbox.control('passwordlessIdentity', 'addUser', { name, ...contact }) as DemoKey,
		count: (operationId) => sandbox.requestLog.count('passwordlessIdentity', operationId),
		onFirstPoll: (act) => {
			const answered = () =>
				sandbox.requestLog
					.entries({ operationId: 'getScopeJob' })
					.some(({ status }) => status !== undefined);
			void until(answered).then(act);
		},
	};
}

/** Opens it for the tests of one file, and brings it back to its start before each test. */
export function useIdentityRig(): IdentityRig {
	const rig = {} as IdentityRig;
	beforeAll(async () => void Object.assign(rig, await openIdentityRig()));
	afterAll(async () => await rig.close());
	beforeEach(() => {
		rig.sandbox.reset();
		rig.credential({});
		keyCache.drop(rig.sandbox.addresses.passwordlessIdentity);
	});
	afterEach(() => expect(rig.sandbox.internalErrors).toEqual([]));
	return rig;
}

/** Short waits, so that tests of failures are quick. */
export const quick = { tries: 2, longestWait: 1 };

/** A key for another algorithm than the usual one, known by its thumbprint. */
export async function ecKey(): Promise<{
	privateKey: string;
	fingerprint: string;
	jwk: object;
	signWith: KeyObject;
}> {
	const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const jwk = publicKey.export({ format: 'jwk' });
	return {
		privateKey: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
		fingerprint: await calculateJwkThumbprint(jwk),
		jwk,
		signWith: privateKey,
	};
}
