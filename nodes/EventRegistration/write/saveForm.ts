import { BadInput } from '../../engine/errors';
import type { ServiceResponse, Request } from '../../engine/http/types';
import type { ItemCall, Output } from '../../engine/operation';
import { isRecord } from '../../engine/values/isRecord';
import { buildFormBody } from '../form/body';
import type { FormDefinition } from '../form/formDefinitions';
import type { FormParameters } from '../form/inputs';
import type { Body } from '../form/mappedValues';
import { writeOutput } from '../records';

/** Sends the mapped values of a form as a new record. `idField` is the name of the ID in the response. */
export async function saveNew<Owner extends string>(
	form: FormDefinition<Owner>,
	idField: string,
	values: FormParameters<Owner>,
	call: ItemCall,
): Promise<Output> {
	const request = await call.buildRequest();
	const body = await buildFormBody(form, values, call, {
		enforcesRequired: true,
		parameterFields: bodyOfFields(request),
	});
	return writeOutput(await call.send({ ...request, json: body }), idField, body);
}

/** Sends the changed fields of a record. Returns the response and the body that was sent. Throws if there is no change. */
export async function sendChanges<Owner extends string>(
	form: FormDefinition<Owner>,
	values: FormParameters<Owner>,
	call: ItemCall,
): Promise<{ response: ServiceResponse; body: Body }> {
	const request = await call.buildRequest();
	const body = await buildFormBody(form, values, call, {
		enforcesRequired: false,
		parameterFields: bodyOfFields(request),
	});
	if (Object.keys(body).length === 0) {
		throw new BadInput(
			'No fields to update',
			"Add at least one field under 'Update Fields' and give it a value. Blank values are ignored unless 'Clear Blank Fields' is on under Options.",
		);
	}
	return { response: await call.send({ ...request, json: body }), body };
}

/** Returns the part of the body that comes from the operation's own fields, not from the form. */
const bodyOfFields = ({ json }: Request): Body => (isRecord(json) ? json : {});
