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

/** A rig with the identity service alone, and shorthands for its operations. */
export interface IdentityRig extends Rig {
	/** Runs an operation for each input item, by default as the demo application. */
	operate: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
		input?: IDataObject[],
		extra?: Extra,
	) => ReturnType<Rig['run']>;
	/** The only output of an operation that must succeed. */
	getOutput: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
	) => Promise<IDataObject>;
	/** The error of an operation that must fail. */
	getError: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
	) => Promise<{ message: string; description: string; httpCode?: string | null }>;
	/** Uses another key or other settings in the credential until the next call. */
	changeCredential: (changes: {
		privateKey?: string;
		algorithm?: string;
		issuer?: string;
		baseUrl?: string;
		acceptedKeyStatuses?: string;
		ignoreSslIssues?: boolean;
	}) => void;
	changeSettings: (settings: Partial<PasswordlessIdentitySettings>) => void;
	/** Issues a job for the demo user and returns its ID. */
	issueJob: (parameters?: object) => Promise<string>;
	approve: (job: string, claims?: object) => Promise<string>;
	/** Waits for a job of the demo user, polling every second. */
	waitForJob: (job: string, options?: object, parameters?: object) => Promise<IDataObject>;
	/** Registers a person, whose key the credential then holds. */
	registerKey: (name?: string) => Promise<DemoKey & { secret: string }>;
	/** One more person whose key the sandbox holds. */
	addUser: (name: string, contact?: { email?: string; phone?: string }) => DemoKey;
	/** Counts the requests of one kind. */
	count: (operationId: string) => number;
	/** A server whose responses the test defines; it is closed together with the rig. */
	startToy: () => Promise<ToyServer>;
	/** Calls `act` as soon as a job has been polled, so that it was seen outstanding. */
	onFirstPoll: (act: () => unknown) => void;
}

async function waitUntil(holds: () => boolean): Promise<void> {
	for (let tries = 0; tries < 400 && !holds(); tries++) await delay(25);
}

/** Opens the rig. */
export async function openIdentityRig(): Promise<IdentityRig> {
	const rig = await openRig({ services: [passwordlessIdentity] });
	const { sandbox, kit } = rig;
	const original = kit.credentialData.passwordlessIdentityApi!;

	const operate: IdentityRig['operate'] = async (
		resource,
		operation,
		parameters = {},
		input,
		extra,
	) =>
		// Outputs all fields; Simplify has its own tests.
		await rig.run(
			'passwordlessIdentity',
			{ resource, operation, simplify: false, ...parameters },
			input,
			extra,
		);
	const getOutput: IdentityRig['getOutput'] = async (resource, operation, parameters) => {
		const { outputItems, error } = await operate(resource, operation, parameters);
		if (error) throw error;
		expect(outputItems).toHaveLength(1);
		return outputItems[0]!;
	};
	const changeCredential: IdentityRig['changeCredential'] = (changes) => {
		kit.credentialData.passwordlessIdentityApi = { ...original, ...changes };
	};
	const toys: ToyServer[] = [];
	return {
		...rig,
		operate,
		getOutput,
		startToy: async () => {
			const server = await startToyServer();
			toys.push(server);
			return server;
		},
		close: async () => {
			await Promise.all([rig, ...toys].map(async (open) => await open.close()));
		},
		getError: async (resource, operation, parameters) => {
			const { error } = await operate(resource, operation, parameters);
			expect(error).toBeDefined();
			const { message, description, httpCode } = error as NodeApiError;
			return { message, description: description ?? '', httpCode };
		},
		changeCredential,
		waitForJob: async (job, options, parameters) =>
			await getOutput('scopeJob', 'waitUntilFinished', {
				job,
				expectedSubject: sandbox.demo.user.fingerprint,
				waitLimit: 20,
				options: { checkEvery: 1, ...options },
				...parameters,
			}),
		registerKey: async (name = 'somebody new') => {
			const key = deriveDemoKey(name);
			changeCredential({ privateKey: key.privatePem });
			return { ...key, ...(await getOutput('key', 'register')) } as DemoKey & { secret: string };
		},
		changeSettings: (settings) =>
			void Object.assign(sandbox.settings.passwordlessIdentity, settings),
		issueJob: async (parameters) =>
			`${(await getOutput('scopeJob', 'issue', { subject: sandbox.demo.user.fingerprint, ...parameters })).id}`,
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
			const hasAnsweredPoll = () =>
				sandbox.requestLog
					.entries({ operationId: 'getScopeJob' })
					.some(({ status }) => status !== undefined);
			void waitUntil(hasAnsweredPoll).then(act);
		},
	};
}

/** Opens the rig for the tests of one file, and resets it before each test. */
export function useIdentityRig(): IdentityRig {
	const rig = {} as IdentityRig;
	beforeAll(async () => void Object.assign(rig, await openIdentityRig()));
	afterAll(async () => await rig.close());
	beforeEach(() => {
		rig.sandbox.reset();
		rig.changeCredential({});
		keyCache.drop(rig.sandbox.addresses.passwordlessIdentity);
	});
	afterEach(() => expect(rig.sandbox.internalErrors).toEqual([]));
	return rig;
}

/** Retry settings with short waits, so that tests of failures are quick. */
export const quickRetries = { tries: 2, longestWait: 1 };

/** A key for another algorithm than the usual one, known by its thumbprint. */
export async function createEcKey(): Promise<{
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
