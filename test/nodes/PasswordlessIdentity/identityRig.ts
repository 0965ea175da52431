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

type RunSettings = Parameters<Rig['run']>[3];

/** A rig with the identity service alone, and shorthands for its operations. */
export interface IdentityRig extends Rig {
	/** Runs an operation for each input item, by default as the demo application. */
	operate: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
		input?: IDataObject[],
		settings?: RunSettings,
	) => ReturnType<Rig['run']>;
	/** Runs an operation that must succeed, and returns its only output item. */
	getOutput: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
	) => Promise<IDataObject>;
	/** Runs an operation that must fail, and returns its error. */
	getError: (
		resource: 'key' | 'login' | 'scopeJob',
		operation: string,
		parameters?: object,
	) => Promise<{ message: string; description: string; httpCode?: string | null }>;
	/** Replaces fields of the original credential. The next call begins with the original again. */
	changeCredential: (changes: {
		privateKey?: string;
		algorithm?: string;
		issuer?: string;
		baseUrl?: string;
		acceptedKeyStatuses?: string;
		ignoreSslIssues?: boolean;
	}) => void;
	/** Changes settings of the sandbox until its reset. */
	changeSettings: (settings: Partial<PasswordlessIdentitySettings>) => void;
	/** Issues a job for the demo user and returns its ID. */
	issueJob: (parameters?: object) => Promise<string>;
	/** Approves a job as the person who was asked, and returns the signed token. */
	approve: (job: string, claims?: object) => Promise<string>;
	/** Runs Wait Until Finished for a job of the demo user, with a poll every second. */
	waitForJob: (job: string, options?: object, parameters?: object) => Promise<IDataObject>;
	/** Registers the key of a new person, and puts it into the credential. */
	registerKey: (name?: string) => Promise<DemoKey & { secret: string }>;
	/** Adds a person with a registered key to the sandbox. */
	addUser: (name: string, contact?: { email?: string; phone?: string }) => DemoKey;
	/** Counts the requests of an operation that the sandbox received. */
	count: (operationId: string) => number;
	/** Starts a server whose responses the test defines. The rig closes it. */
	startToy: () => Promise<ToyServer>;
	/** Calls `act` as soon as a job has been polled, so that it was seen outstanding. */
	onFirstPoll: (act: () => unknown) => void;
}

async function waitUntil(isMet: () => boolean): Promise<void> {
	for (let attempt = 0; attempt < 400 && !isMet(); attempt++) await delay(25);
}

/** Opens a rig with the identity service alone. */
export async function openIdentityRig(): Promise<IdentityRig> {
	const rig = await openRig({ services: [passwordlessIdentity] });
	const { sandbox, kit } = rig;
	const originalCredential = kit.credentialData.passwordlessIdentityApi!;

	const operate: IdentityRig['operate'] = async (
		resource,
		operation,
		parameters = {},
		input,
		settings,
	) =>
		// Outputs all fields; Simplify has its own tests.
		await rig.run(
			'passwordlessIdentity',
			{ resource, operation, simplify: false, ...parameters },
			input,
			settings,
		);
	const getOutput: IdentityRig['getOutput'] = async (resource, operation, parameters) => {
		const { outputItems, error } = await operate(resource, operation, parameters);
		if (error) throw error;
		expect(outputItems).toHaveLength(1);
		return outputItems[0]!;
	};
	const changeCredential: IdentityRig['changeCredential'] = (changes) => {
		kit.credentialData.passwordlessIdentityApi = { ...originalCredential, ...changes };
	};
	const toyServers: ToyServer[] = [];
	return {
		...rig,
		operate,
		getOutput,
		startToy: async () => {
			const server = await startToyServer();
			toyServers.push(server);
			return server;
		},
		close: async () => {
			await Promise.all([rig, ...toyServers].map(async (closable) => await closable.close()));
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
			const { token } = await (sandbox.control('passwordlessIdentity', 'approve', {
				job,
				claims,
			}) as Promise<{
				token: string;
			}>);
			return token;
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

/** Creates a key for ES256, whose fingerprint is its thumbprint. */
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
