import type { IDataObject } from 'n8n-workflow';

import { asOutput } from '../../engine/run/execute';
import type { Operation } from '../../engine/operation';
import { jsonObject } from '../../engine/values/convert';
import { job, text } from '../fields';
import { restOf } from '../jobState';

/** Hands in what the issuer wants to see before the job may be answered. */
export const confirm: Operation = {
	name: 'Confirm',
	action: 'Confirm a scope job',
	description:
		'Hand in the code that the issuer sent to the person. Some jobs can only be answered after that. The job stays outstanding.',
	request: { method: 'POST', path: '/scope/{job}' },
	fields: [
		job,
		{
			displayName: 'Code',
			name: 'code',
			type: 'string',
			default: '',
			secret: true,
			placeholder: 'e.g. 482913',
			description:
				'The code that the issuer sent by SMS or mail. Leave it empty only if the issuer wants none: the job is then confirmed without a code.',
			target: { in: 'body', value: text },
		},
	],
	options: [
		{
			displayName: 'Further Data',
			name: 'furtherData',
			type: 'json',
			default: '{}',
			description:
				'What else, or instead of a code, the issuer wants, as JSON, for example {"pin": "1234"}',
		},
	],
	run: async (call) => {
		const request = await call.request();
		const given = call.option('furtherData') || {};
		const further = jsonObject('Further Data')(given, call) as IDataObject;
		const all = { ...further, ...(request.json as IDataObject | undefined) };
		const json = Object.keys(all).length > 0 ? all : undefined;
		const body = asOutput(await call.send({ ...request, json })) as IDataObject;
		return { ...restOf(body), job: `${call.field('job')}`.trim() };
	},
	yields: { job: 'string', status: 'string' },
};
