import type { ResourceMapperField } from 'n8n-workflow';

import { BadInput } from '../../engine/errors';
import { toPathSegment } from '../../engine/http/path';
import type { ItemCall } from '../../engine/operation';
import { SharedReads } from '../../engine/sharedReads';
import { localDateHint, toIsoDate } from '../../engine/values/dates';
import { isRecord } from '../../engine/values/isRecord';
import { isBlank } from '../../engine/values/texts';
import { hintAtBlankColumns } from './blankColumns';
import { fromColumns, toFieldName } from './columns';
import { fieldKind } from './fieldKind';
import type { FormDefinition } from './formDefinitions';
import { DETAILS_FIELD } from './inputs';
import type { FormParameters } from './inputs';
import { autoMap, serializeFormValues, missingCaptions } from './mappedValues';
import type { Body, MappedValues } from './mappedValues';
import { identifyForm, readForm } from './readForm';
import type { FormField } from './readForm';

export interface FormBodyOptions {
	/** Whether the form's required fields must be filled in, as for a new record. */
	enforcesRequired: boolean;
	/**
	 * Values from parameters outside the form, by the form's field names. They replace mapped values of the same name. Like
	 * these, they are omitted if they are blank, unless the user chose to clear blank fields: an expression that returns
	 * nothing must not empty a field.
	 */
	parameterFields?: Body;
}

/**
 * Builds the body of a write from the values that the user mapped: properties of the record at the top level, other fields
 * as custom fields. Throws if a required field is blank, before the write is sent.
 */
export async function buildFormBody<Owner extends string>(
	form: FormDefinition<Owner>,
	values: FormParameters<Owner>,
	call: ItemCall,
	{ enforcesRequired, parameterFields = {} }: FormBodyOptions,
): Promise<Body> {
	const mapping = await readMapping(form, values, call, enforcesRequired);
	const mappedValues = new Map([...mapping.mapped, ...Object.entries(parameterFields)]);
	return buildBodyFromMapping(
		form,
		{ ...mapping, mapped: mappedValues },
		values,
		call,
		enforcesRequired,
	);
}

/** Builds the body from values that were read. */
export function buildBodyFromMapping<Owner extends string>(
	form: FormDefinition<Owner>,
	{ fields, mapped: mappedValues }: Mapping,
	values: FormParameters<Owner>,
	call: ItemCall,
	enforcesRequired: boolean,
): Body {
	const all = new Map(mappedValues);
	if (enforcesRequired) requireFilled(all, fields, form);
	const timezone = call.context.getTimezone();
	const onLocalDate = () => call.hint(localDateHint(timezone));
	for (const { name, caption, type } of fields) {
		if (fieldKind(type) === 'dateTime' && !isBlank(all.get(name)))
			all.set(name, toIsoDate(caption, all.get(name), timezone, onLocalDate));
	}
	return serializeFormValues(all, form.properties, values.clearBlank === true);
}

function requireFilled(values: MappedValues, fields: FormField[], { owner }: FormDefinition): void {
	const blankCaptions = missingCaptions(values, fields);
	if (blankCaptions.length === 0) return;
	const [last, ...others] = blankCaptions.map((caption) => `'${caption}'`).reverse();
	const captionList = others.length > 0 ? `${others.reverse().join(', ')} and ${last}` : last;
	throw new BadInput(
		`${captionList} ${blankCaptions.length > 1 ? 'are' : 'is'} missing`,
		`The form of this ${owner.label.toLowerCase()} requires ${blankCaptions.length > 1 ? 'these fields' : 'this field'}, so nothing was sent. If a value comes from an expression, check that the previous node returns it.`,
	);
}

/** The fields that can be mapped, and the values of one item. */
interface Mapping {
	fields: FormField[];
	mapped: MappedValues;
}

/** Returns the mapped fields and their values for this item. */
export async function readMapping<Owner extends string>(
	form: FormDefinition<Owner>,
	values: FormParameters<Owner>,
	call: ItemCall,
	enforcesRequired: boolean,
): Promise<Mapping> {
	const mapping = await readMappingOf(form, values, call, enforcesRequired);
	hintAtBlankColumns(call, mapping.fields, mapping.mapped);
	return mapping;
}

async function readMappingOf<Owner extends string>(
	form: FormDefinition<Owner>,
	values: FormParameters<Owner>,
	call: ItemCall,
	enforcesRequired: boolean,
): Promise<Mapping> {
	const { context, itemIndex } = call;
	// n8n-core 2.41.1 would validate values against the stored schema (`validate-value-against-schema`). The service
	// validates values by its current form, with its own messages.
	const parameter = (path: string) =>
		call.parameter(`${DETAILS_FIELD}.${path}`, { skipValidation: true });
	const schema: unknown = context.getNodeParameter(`${DETAILS_FIELD}.schema`, itemIndex, null, {
		rawExpressions: true,
	});
	// n8n's editor stored this schema, from the columns of `toColumns`.
	const schemaFields = storedFields((schema ?? []) as ResourceMapperField[]);
	if (parameter('mappingMode') === 'autoMapInputData') {
		const canUseStored = schemaFields.length > 0 && !variesByItem(call, form);
		const fields = canUseStored ? schemaFields : await currentForm(form, values, call);
		return { fields, mapped: autoMap(context.getInputData()[itemIndex]!.json, fields) };
	}
	const value = parameter('value');
	const entries = isRecord(value) ? Object.entries(value) : [];
	// A workflow that was not made in the editor has values but no schema.
	const fields =
		schemaFields.length > 0 || !enforcesRequired
			? schemaFields
			: await currentForm(form, values, call);
	return { fields, mapped: new Map(entries.map(([id, entry]) => [toFieldName(id), entry])) };
}

const fieldsByColumns = new WeakMap<ResourceMapperField[], FormField[]>();

/** Converts the stored schema once for all items of an execution. */
function storedFields(columns: ResourceMapperField[]): FormField[] {
	const fields = fieldsByColumns.get(columns) ?? fromColumns(columns);
	fieldsByColumns.set(columns, fields);
	return fields;
}

/** Whether the owner is an expression. Each item may then use another form than the one that the editor stored. */
function variesByItem(call: ItemCall, { owner }: FormDefinition): boolean {
	const raw: unknown = call.context.getNodeParameter(owner.parameter, call.itemIndex, '', {
		rawExpressions: true,
	});
	const value = isRecord(raw) ? raw.value : raw;
	return typeof value === 'string' && value.startsWith('=');
}

/** The forms that each execution has read. */
const forms = new SharedReads<FormField[]>();

/** Reads the current form, once per execution for each event or contact list, and adds the standard fields that it lacks. */
export async function currentForm<Owner extends string>(
	form: FormDefinition<Owner>,
	values: FormParameters<Owner>,
	call: ItemCall,
): Promise<FormField[]> {
	const { parameter, label } = form.owner;
	const parameters: Record<Owner, string> = values;
	const ownerId = parameters[parameter];
	const key = `${form.path} ${ownerId} ${values.formKeys}`;
	const fields = await forms.get(call.client.connection, key, async () => {
		const { body } = await call.send({
			method: 'GET',
			path: form.path,
			params: { [parameter]: toPathSegment(label, ownerId) },
			idempotent: true,
			requiredContent: 'content',
			identify: identifyForm,
		});
		return readForm(body, values.formKeys);
	});
	const formNames = new Set(fields.map(({ name }) => name));
	return [...fields, ...form.standardFields.filter(({ name }) => !formNames.has(name))];
}
