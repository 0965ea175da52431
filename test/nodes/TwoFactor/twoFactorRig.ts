import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { openRig } from '../../support/sandboxRig';
import type { Rig } from '../../support/sandboxRig';
import { sendJson, startToyServer } from '../../support/toy';
import type { ToyServer } from '../../support/toy';

/** The user of the demo data without the app. */
export const DEMO_ID = '100001';
/** The user of the demo data with the app. */
export const APP_ID = '100002';
export const DEMO_PHONE = '+12025550143';
export const APP_PHONE = '+12025550144';
/** A number that gets calls but no SMS. */
export const LANDLINE = '+1 202 555 0182';
/** A number that gets neither calls nor SMS. */
export const NO_CARRIER = '+1 202 555 0183';

/** The two-factor node on n8n's engine, against a running sandbox. */
export interface TwoFactorRig extends Rig {
	/** Runs one operation, by default over one empty item. */
	operate: (
		resource: string,
		operation: string,
		parameters?: object,
		input?: IDataObject[],
		settings?: object,
	) => ReturnType<Rig['run']>;
	/** Counts the requests of an operation that the service received. */
	countRequests: (operationId: string) => number;
	/** Returns the SMS and calls that reached a phone. */
	readMessages: (phone: string) => Array<{ kind: string; code: string; text: string }>;
	/** Runs a control action of the sandbox. The type of the result depends on the action. */
	// eslint-disable-next-line @typescript-eslint/no-explicit-any
	control: (action: string, input?: Record<string, unknown>) => any;
	/** Changes fields of the credential until the next test. */
	changeCredential: (changes: IDataObject) => void;
}

/** Opens the rig for the tests of one file, and resets it before each test. */
export function useTwoFactorRig(): TwoFactorRig {
	const twoFactorRig = {} as TwoFactorRig;
	let originalCredential: ICredentialDataDecryptedObject;
	beforeAll(async () => {
		const rig = await openRig();
		originalCredential = { ...rig.kit.credentialData.twoFactorApi };
		const control = (action: string, input: Record<string, unknown> = {}) =>
			rig.sandbox.control('twoFactor', action, input);
		Object.assign(twoFactorRig, rig, {
			operate: async (
				resource: string,
				operation: string,
				parameters: object = {},
				input: IDataObject[] = [{}],
				settings: object = {},
			) => await rig.run('twoFactor', { resource, operation, ...parameters }, input, settings),
			countRequests: (operationId: string) =>
				rig.sandbox.requestLog.count('twoFactor', operationId),
			readMessages: (phone: string) => control('messages', { phone }),
			control,
			changeCredential: (changes: IDataObject) =>
				Object.assign(rig.kit.credentialData.twoFactorApi!, changes),
		});
	});
	beforeEach(() => {
		twoFactorRig.sandbox.reset();
		twoFactorRig.kit.credentialData.twoFactorApi = { ...originalCredential };
	});
	afterEach(() => expect(twoFactorRig.sandbox.internalErrors).toEqual([]));
	afterAll(async () => await twoFactorRig.close());
	return twoFactorRig;
}

/** Starts a service whose responses the test defines, instead of the sandbox. */
export function useFakeTwoFactor(rig: TwoFactorRig) {
	const server = {} as ToyServer;
	beforeAll(async () => void Object.assign(server, await startToyServer()));
	afterAll(async () => await server.close());
	return {
		server,
		/** Runs an operation against a service that always responds with this body. */
		operateAgainst: async (
			body: unknown,
			resource: string,
			operation: string,
			parameters: object = {},
			status = 200,
		) => {
			server.respondWith((_, response) => sendJson(response, status, body));
			rig.changeCredential({ baseUrl: server.url });
			return await rig.operate(resource, operation, parameters);
		},
	};
}

/** Returns the advice of an error, which n8n shows as its description. */
export const adviceOf = (error: Error | undefined): string =>
	`${(error as { description?: string } | undefined)?.description}`;
