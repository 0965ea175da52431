// Protects users of n8n's SSRF protection: a blocked request is reported as not sent, with the setting that allows it.
import fc from 'fast-check';
import { CredentialTestContext } from 'n8n-core';
import { NodeApiError, UserError } from 'n8n-workflow';
import type { ICredentialTestFunction, INode, INodeParameters } from 'n8n-workflow';

import { transportFailure } from '../../nodes/engine/http/failures';
import type { ItemCall } from '../../nodes/engine/operation';
import { senderOf } from '../../nodes/engine/park/sender';
import { problemOf } from '../../nodes/engine/submit/problems';
import { packageTrials } from '../e2e/install/packageTrials';
import { service } from '../engine/toyOperations';
import { TriggerHost, waitUntil } from '../engine/trigger/support/host';
import { awaitWithin, useAcceleratedTime } from '../support/fakeClock';
import { packServices } from '../support/pack';
import { openPanel } from '../support/panel';
import { openRig } from '../support/sandboxRig';
import type { Rig } from '../support/sandboxRig';
import { useSsrfProtection } from '../support/ssrf';

// n8n's SSRF protection is on, and blocks loopback: no request leaves n8n.

let rig: Rig;
beforeAll(async () => {
	rig = await openRig({ registrations: 1 });
});
afterAll(async () => await rig.close());
useAcceleratedTime();
useSsrfProtection();

/** The settings of n8n that allow the request. */
const SETTINGS = /N8N_SSRF_ALLOWED_HOSTNAMES.*N8N_SSRF_ALLOWED_IP_RANGES/;
/** Words of messages about an unknown effect or a retry. */
const DOUBTS = /unclear|tried|retried|later/i;

/** Returns the parameter with an ID to watch. Triggers of lists ignore the parameter. */
const idsParameterOf = (name: string) =>
	name === 'passwordlessIdentity' ? { rows: [{ ids: 'an-id' }] } : 'an-id';

/** Returns the message and the advice of an error. */
const describeError = (error: Error | undefined) =>
	`${error?.message} ${(error as { description?: string } | undefined)?.description}`;

describe.each(packServices)('$name', ({ Node, service: { credentialType: type }, name }) => {
	it('reports that nothing was sent, and which setting allows the request', async () => {
		const nodeRun = rig.run(name, packageTrials[name]!.read as INodeParameters);
		const { error } = await awaitWithin(nodeRun, 1000);
		expect(error?.message).toMatch(/^n8n's SSRF protection blocked the request.*nothing was sent/);
		expect(describeError(error)).toMatch(SETTINGS);
		expect(describeError(error)).not.toMatch(DOUBTS);
	});

	it('reports a blocked request in its credential test', async () => {
		const node = new Node();
		const { testedBy } = node.description.credentials![0]!;
		const test = node.methods!.credentialTest![testedBy as string] as ICredentialTestFunction;
		const data = rig.sandbox.credentials[type]!;
		const testResult = await test.call(new CredentialTestContext(), {
			id: '1',
			name: type,
			type,
			data,
		});
		expect(testResult.status).toBe('Error');
		expect(testResult.message).toMatch(/blocked the request.*nothing was sent/);
		expect(testResult.message).toMatch(SETTINGS);
	});

	it('reports a blocked request in its trigger', async () => {
		const parameters = { ...packageTrials[name]!.trigger, ids: idsParameterOf(name) };
		const host = new TriggerHost(rig.sandbox, [{ type: `${name}Trigger`, parameters }]);
		try {
			await host.start('init').catch((error: Error) => host.failedExecutions.push(error));
			await waitUntil(
				() => host.failedExecutions.length + host.emittedErrors.length > 0,
				undefined,
				600_000,
			);
		} finally {
			await host.close();
		}
		const text = describeError([...host.failedExecutions, ...host.emittedErrors][0]);
		expect(text).toMatch(/blocked the request.*nothing was sent/);
		expect(text).toMatch(SETTINGS);
	});
});

it('an operation with an effect reports that a blocked request was not sent', async () => {
	const { error } = await rig.run('twoFactor', {
		resource: 'approvalRequest',
		operation: 'create',
		twofactorId: '100001',
		message: 'Refund 5?',
	});
	expect(describeError(error)).toMatch(
		/blocked the request.*nothing was sent.*N8N_SSRF_ALLOWED_HOSTNAMES/s,
	);
	expect(describeError(error)).not.toMatch(DOUBTS);
});

it('a panel reports that n8n blocked the request for a list', async () => {
	const list = openPanel(rig.kit, 'eventData', {}).list('searchEvents');
	await expect(list).rejects.toThrow(/blocked the request/);
});

class SsrfBlockedIpError extends UserError {
	override name = 'SsrfBlockedIpError';
}
class SsrfBlockedHostnameError extends UserError {
	override name = 'SsrfBlockedHostnameError';
}
const options = { maxAttempts: 4, maxRetryDelayMs: 1000, timeoutMs: 1000 };
const toTransportFailure = (error: unknown) => transportFailure(error, service, options);
const wrappers: Record<string, (inner: Error) => Error> = {
	cause: (inner) => new Error('socket hang up', { cause: inner }),
	axios: (inner) =>
		Object.assign(new Error(inner.message), {
			isAxiosError: true,
			code: 'ECONNRESET',
			cause: inner,
		}),
	node: (inner) => new NodeApiError({ name: 'Toy' } as INode, inner as never),
	response: (inner) => Object.assign(new Error('wrapped'), { errorResponse: inner }),
};

it('the error of a blocked request is recognized at any depth of nesting, even in a circular error', () => {
	fc.assert(
		fc.property(
			fc.constantFrom(SsrfBlockedIpError, SsrfBlockedHostnameError),
			fc.array(fc.constantFrom(...Object.keys(wrappers)), { maxLength: 12 }),
			fc.boolean(),
			(BlockedError, layers, isCircular) => {
				const blockedError: Error = new BlockedError('The request was blocked because …');
				const error = layers.reduce((inner, name) => wrappers[name]!(inner), blockedError);
				if (isCircular) blockedError.cause = error;
				const { code, uncertain } = toTransportFailure(error);
				return code === 'BLOCKED' && !uncertain;
			},
		),
	);
	const circular = new Error('broken');
	circular.cause = circular;
	expect(toTransportFailure(circular)).toMatchObject({ code: 'BROKEN', uncertain: true });
});

it('a response that contains the name of such an error is not recognized as a blocked request', () => {
	const response = { data: { name: 'SsrfBlockedIpError' }, status: 500 };
	const error = Object.assign(new Error('failed'), { response, error: response.data });
	expect(toTransportFailure(error)).toMatchObject({ uncertain: true });
});

it('a blocked submission reports the settings that allow the URL of the trigger', () => {
	const problem = problemOf(
		toTransportFailure(new SsrfBlockedIpError('…')),
		'http://10.0.0.1/webhook/x',
	);
	expect(problem.message).toMatch(/blocked the request/);
	expect(problem.advice).toMatch(SETTINGS);
});

it('a blocked resume call reports the settings that allow the resume URL', async () => {
	const httpRequest = async () => await Promise.reject(new SsrfBlockedIpError('…'));
	const connection = { service: { name: 'service' } };
	const context = { helpers: { httpRequest }, getNode: () => ({}) };
	const call = { client: { connection }, context };
	const problem = await senderOf(call as unknown as ItemCall).resume(
		'http://10.0.0.1/webhook-waiting/1',
	);
	expect(problem).toMatch(SETTINGS);
});
