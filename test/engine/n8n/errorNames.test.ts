// Protects the reaction to n8n's errors: deleted credentials, blocked requests and starts that were carried out are known.
import {
	ExpressionError,
	ManualExecutionCancelledError,
	NodeApiError,
	NodeOperationError,
	TimeoutExecutionCancelledError,
} from 'n8n-workflow';
import type { INode, JsonObject } from 'n8n-workflow';
import { createRequire } from 'node:module';

import {
	isBlockedBySsrfProtection,
	isDeletedCredential,
	hadWorkflowStarted,
} from '../../../nodes/engine/n8n/errorNames';
import { runInN8n, itWithN8n } from './installed';

type BlockedErrorClass = new (...args: unknown[]) => Error;
const network = createRequire(require.resolve('n8n-core'))('@n8n/backend-network') as Record<
	'SsrfBlockedIpError' | 'SsrfBlockedHostnameError',
	BlockedErrorClass
>;
const node: INode = {
	id: '1',
	name: 'Node',
	type: 'toy',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

it("n8n's errors have the names by which the pack recognizes them", () => {
	for (const Blocked of [network.SsrfBlockedIpError, network.SsrfBlockedHostnameError]) {
		const blocked = new Blocked('10.0.0.1', 'example.test');
		expect(isBlockedBySsrfProtection(blocked)).toBe(true);
		// As axios and n8n wrap it.
		const wrapped = Object.assign(new Error('connect'), { cause: blocked });
		const error = new NodeApiError(node, wrapped as unknown as JsonObject);
		expect(isBlockedBySsrfProtection(error)).toBe(true);
	}
	const connectionError = Object.assign(new Error('connect ECONNREFUSED'), {
		code: 'ECONNREFUSED',
	});
	const unreachableError = new NodeApiError(node, connectionError as unknown as JsonObject);
	expect(isBlockedBySsrfProtection(unreachableError)).toBe(false);
	expect(hadWorkflowStarted(new ManualExecutionCancelledError('1'))).toBe(true);
	expect(hadWorkflowStarted(new TimeoutExecutionCancelledError('1'))).toBe(true);
	expect(hadWorkflowStarted(new NodeOperationError(node, 'Database is not ready'))).toBe(false);
	expect(isDeletedCredential(new ExpressionError('Credential is missing'))).toBe(false);
});

itWithN8n(
	"errors of n8n's server have the names and messages by which the pack recognizes them",
	() => {
		const errors = runInN8n(`
		const { CredentialNotFoundError } = load('./dist/errors/credential-not-found.error.js');
		const { ExecutionNotFoundError } = load('./dist/errors/execution-not-found-error.js');
		return [
			new CredentialNotFoundError('1', 'toyApi'),
			new CredentialNotFoundError('1'),
			new ExecutionNotFoundError('1'),
		].map((error) => ({ name: error.constructor.name, message: error.message }));
	`) as Array<{ name: string; message: string }>;
		const [typed, untyped, executionEnded] = errors.map(({ name, message }) =>
			Object.defineProperty(new Error(message), 'constructor', { value: { name } }),
		);
		// The message alone is enough, since another package may have a class of its own.
		for (const error of [
			typed!,
			untyped!,
			new Error(typed!.message),
			new Error(untyped!.message),
		]) {
			expect(isDeletedCredential(error)).toBe(true);
		}
		expect(isDeletedCredential(executionEnded)).toBe(false);
		expect(hadWorkflowStarted(executionEnded)).toBe(true);
	},
);
