// Protects parked executions: their resume and status URLs work behind a proxy too, and n8n's responses are understood.
import {
	executionUrlsOf,
	isEndedStatus,
	isResumeSettled,
	readinessUrlOf,
	statusIn,
} from '../../../nodes/engine/n8n/waitingWebhook';
import { runInNode } from './engine';
import { runInN8n, itWithN8n, readN8nSource } from './installed';

/** Returns the URLs of an execution with the ID 7, in an n8n with a base path. */
const readUrls = async (
	operation: string,
	token?: '',
	other?: { executionId: string; token: string },
) =>
	await runInNode(
		(context) => {
			const { additionalData, runExecutionData } = context as unknown as {
				additionalData: object;
				runExecutionData: { resumeToken: string };
			};
			Object.assign(additionalData, {
				executionId: '7',
				webhookWaitingBaseUrl: 'https://n8n.example/automation/webhook-waiting',
				formWaitingBaseUrl: 'https://n8n.example/automation/form-waiting',
			});
			runExecutionData.resumeToken = token ?? runExecutionData.resumeToken;
			const { url, statusUrl } = executionUrlsOf(context, other);
			return {
				resume: new URL(url),
				status: new URL(statusUrl),
				readiness: readinessUrlOf(context),
				token: runExecutionData.resumeToken,
			};
		},
		{ operation },
	);

describe.each(['sendAndWait', 'create'])('the URLs of an execution parked by %s', (operation) => {
	it('contain its token, which is valid behind a proxy that removes the base path', async () => {
		const { resume, status, token } = await readUrls(operation);
		expect(token).toMatch(/^\w{32,}$/);
		expect(resume.pathname).toBe('/automation/webhook-waiting/7');
		expect(resume.searchParams.get('signature')).toBe(`${token}/node-1`);
		expect(status.pathname).toBe('/automation/form-waiting/7/n8n-execution-status');
		expect(status.searchParams.get('signature')).toBe(token);
	});

	it('contain the node in the path if the execution has no token', async () => {
		const { resume } = await readUrls(operation, '');
		expect(resume.href).toBe('https://n8n.example/automation/webhook-waiting/7/node-1');
	});

	it('can be those of another execution of the node, with or without a token', async () => {
		const other = { executionId: '12', token: 'abc' };
		const { resume, status } = await readUrls(operation, undefined, other);
		expect(resume.pathname).toBe('/automation/webhook-waiting/12');
		expect(resume.searchParams.get('signature')).toBe('abc/node-1');
		expect(status.pathname).toBe('/automation/form-waiting/12/n8n-execution-status');
		expect(status.searchParams.get('signature')).toBe('abc');
		const { resume: withoutToken } = await readUrls(operation, undefined, { ...other, token: '' });
		expect(withoutToken.href).toBe('https://n8n.example/automation/webhook-waiting/12/node-1');
	});

	it("are beside that of n8n's readiness", async () => {
		const { readiness } = await readUrls(operation);
		expect(readiness).toBe('https://n8n.example/automation/healthz/readiness');
	});
});

it('a status is one word; the sentence of an n8n that is starting is none', () => {
	expect(statusIn({ status: 200, body: 'waiting' })).toBe('waiting');
	expect(statusIn({ status: 200, body: null })).toBe('null');
	expect(statusIn({ status: 200, body: 'n8n is starting up. Please wait' })).toBeUndefined();
	expect(statusIn({ status: 502, body: 'canceled' })).toBeUndefined();
});

itWithN8n('n8n accepts the token of an execution followed by the ID of its node', async () => {
	const { resume } = await readUrls('sendAndWait');
	// The URL that n8n receives behind a proxy that removes the base path.
	const url = `${resume.pathname.replace('/automation', '')}${resume.search}`;
	const [token] = resume.searchParams.get('signature')!.split('/');
	const read = runInN8n(`
		const { WaitingWebhooks } = load('./dist/webhooks/waiting-webhooks.js');
		const request = { url: ${JSON.stringify(url)}, headers: { host: 'n8n.example' } };
		const nodes = { Ask: { id: 'node-1', parameters: { operation: 'sendAndWait' } } };
		const execution = { data: { resumeToken: ${JSON.stringify(token)} } };
		const { prototype } = WaitingWebhooks;
		return {
			isSigned: Boolean(prototype.isSendAndWaitRequest(nodes, undefined)),
			...prototype.validateToken.call(prototype, request, execution),
		};
	`);
	expect(read).toEqual({ isSigned: false, valid: true, webhookPath: 'node-1' });
});

itWithN8n(
	"n8n's waiting webhooks answer with the statuses and messages that the pack expects",
	async () => {
		const [forms, webhooks, server] = await Promise.all([
			readN8nSource('dist/webhooks/waiting-forms.js'),
			readN8nSource('dist/webhooks/waiting-webhooks.js'),
			readN8nSource('dist/abstract-server.js'),
		]);
		const [, missing] = /execution\?\.status \?\? '(\w+)'/.exec(forms)!;
		expect(isEndedStatus(missing)).toBe(true);
		expect(isEndedStatus('waiting')).toBe(false);
		const [, running] = /ConflictError\(`([^`]*running[^`]*)`\)/.exec(webhooks)!;
		expect(isResumeSettled(409, running)).toBe(false);
		const [, finished] = /`([^`]*has finished with error[^`]*)`/.exec(webhooks)!;
		expect(isResumeSettled(409, finished)).toBe(true);
		const [, starting] = /res\.send\('(n8n is [^']*)'\)/.exec(server)!;
		expect(isResumeSettled(200, starting)).toBe(false);
	},
);
