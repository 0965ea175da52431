// Protects the key in a credential: no error shows it, even if the service repeats it in another encoding.
import { inspect } from 'node:util';

import { packServices } from '../support/pack';
import { samples } from '../support/samples';
import { labelOf } from '../support/samples/sample';
import { openForAllTests } from '../support/sandbox';
import { openRig } from '../support/sandboxRig';
import { encodedForms, secretEncodings } from '../support/secretEncodings';
import { sendJson, startToyServer } from '../support/toy';
import { runNode } from '../support/workflow';

/** A key that every encoding changes. */
const KEY = `sk&live"K3Y"<'7+/7'>=%41\\x`;

const server = openForAllTests(startToyServer);
const rig = openForAllTests(async () => await openRig());

const operations = packServices
	.filter(({ service }) => service.secretFields.includes('apiKey'))
	.flatMap(({ Node, service }) => {
		const { name } = new Node().description;
		return samples
			.filter(({ node, needsNoKey }) => node === name && !needsNoKey)
			.map((sample) => ({ sample, credentialType: service.credentialType }));
	})
	.map((operation) => ({ ...operation, label: labelOf(operation.sample) }));

it('the encodings change the key, so that the tests can fail', () => {
	for (const form of encodedForms(KEY)) expect(form).not.toContain(KEY);
});

it.each(operations)(
	'$label shows no key that the service repeats in another encoding',
	async ({ sample, credentialType }) => {
		server.respondWith(({ url, headers, body }, response) => {
			const received = `${url} ${JSON.stringify(headers)} ${headers.authorization} ${headers['x-api-key']} ${body}`;
			const message = Object.values(secretEncodings)
				.map((encode) => encode(received))
				.join(' and ');
			sendJson(response, 400, { message, Message: message, success: false });
		});
		const parameters = await sample.parameters(rig);
		const { nodes, credentials, credentialData } = rig.kit;
		const credential = {
			...credentialData[credentialType],
			...sample.credential?.(rig),
			baseUrl: server.url,
			apiKey: KEY,
		};
		const { error, run } = await runNode(
			{ nodes, credentials, credentialData: { ...credentialData, [credentialType]: credential } },
			sample.node,
			{
				resource: sample.resource,
				operation: sample.operation,
				...parameters,
				options: { ...(parameters.options as object), tries: 1 },
			},
		);
		const visibleText = [
			inspect(error, { depth: Infinity, showHidden: true }),
			JSON.stringify(run.data.resultData.runData.Node),
			error?.message,
			(error as { description?: string } | undefined)?.description,
		].join('\n');
		// Otherwise the response did not reach the message.
		expect(visibleText).toContain('•••');
		for (const form of [KEY, ...encodedForms(KEY)]) {
			expect([form, visibleText.includes(form)]).toEqual([form, false]);
		}
	},
);
