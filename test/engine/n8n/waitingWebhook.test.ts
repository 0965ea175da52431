import {
	isEndedStatus,
	isResumeSettled,
	resumeUrlOf,
	statusUrlOf,
} from '../../../nodes/engine/n8n/waitingWebhook';
import { probe } from './engine';
import { itWithN8n, n8nSource } from './installed';

it('n8n gives the URLs of an execution, each with what proves that n8n has made it', async () => {
	const urlsOf = async (operation: string) =>
		await probe(
			(context) => {
				const { additionalData } = context as unknown as { additionalData: object };
				Object.assign(additionalData, { executionId: '7' });
				return [resumeUrlOf(context), statusUrlOf(context)].map((url) => new URL(url));
			},
			{ operation },
		);
	const [signed, status] = await urlsOf('sendAndWait');
	expect(signed!.searchParams.get('signature')).toMatch(/^\w{32,}$/);
	expect(signed!.pathname).toMatch(/\/node-1$/);
	expect(status!.pathname).toMatch(/\/n8n-execution-status$/);
	const [plain] = await urlsOf('create');
	expect(plain!.pathname).toMatch(/\/node-1$/);
	expect(plain!.searchParams.get('signature')).not.toBe(signed!.searchParams.get('signature'));
});

itWithN8n('n8n answers with these statuses and messages', async () => {
	const [forms, webhooks, server] = await Promise.all([
		n8nSource('dist/webhooks/waiting-forms.js'),
		n8nSource('dist/webhooks/waiting-webhooks.js'),
		n8nSource('dist/abstract-server.js'),
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
});
