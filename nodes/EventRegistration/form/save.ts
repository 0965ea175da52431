import type { IDataObject } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import type { Call, Output } from '../../engine/operation';
import type { Form } from './forms';
import { formBody } from './body';
import { written, writtenTo } from '../records';

/** Sends what the user mapped onto a form as a new record; `id` is what its ID is called in the answer. */
export const saveNew =
	(form: Form, id: string) =>
	async (call: Call): Promise<Output> => {
		const request = await call.request();
		const given = (request.json ?? {}) as IDataObject;
		const body = { ...(await formBody(call, form, { demanding: true, given })), ...given };
		return written(await call.send({ ...request, json: body }), id, body);
	};

/** Sends what the user wants to change of a record; refuses when that is nothing. */
export const saveChanges =
	(form: Form, about: Record<string, string>) =>
	async (call: Call): Promise<Output> => {
		const request = await call.request();
		const given = (request.json ?? {}) as IDataObject;
		const body = { ...(await formBody(call, form, { demanding: false })), ...given };
		if (Object.keys(body).length === 0) {
			throw new BadInput(
				'There is nothing to change',
				'Add a field to change and give it a value. Blank values change nothing unless Clear Blank Fields is on in the options.',
			);
		}
		return writtenTo(about)(await call.send({ ...request, json: body }), call);
	};
