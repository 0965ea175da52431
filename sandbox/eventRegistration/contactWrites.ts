import type { FieldProblems } from '../controlError';
import type { WriteContext } from '../deskBus';
import type { Settings } from '../service';
import { checkForm, mergeCustomFields, normalizeValue } from './checkForm';
import { formatFullName, toIsoTime } from './records';
import type { Contact, ContactInput } from './records';
import { invalid } from './responses';
import type { ListEntry, Store } from './store';

/** Write operations on contacts, shared by the API and the desk. */
export function contactWrites(store: () => Store, settings: Settings) {
	/**
	 * Returns the input as the service stores it: in the spelling that was sent or, if the settings say so, in one spelling
	 * for each type.
	 */
	const toStoredInput = (input: ContactInput): ContactInput => {
		if (settings.contactStorage !== 'normalized') return input;
		const form = new Map(store().contactForm.map((field) => [field.name, field]));
		const normalizeField = (name: string, value = '') => normalizeValue(form.get(name)!, value);
		const { CustomFields, ...fields } = input;
		const texts = Object.entries(fields).map(([name, value]) => [
			name,
			normalizeField(name, value),
		]);
		return {
			...Object.fromEntries(texts),
			...(CustomFields && {
				CustomFields: CustomFields.map(({ Name, Value }) => ({
					Name,
					Value: normalizeField(Name, Value),
				})),
			}),
		};
	};

	const add = (
		{ list, partition }: ListEntry,
		input: ContactInput,
		context: WriteContext,
	): Contact => {
		const { CustomFields, ...fields } = toStoredInput(input);
		const id = store().newId('contact');
		const contact = {
			ContactId: id,
			Id: String(id),
			...fields,
			CustomFields: mergeCustomFields([], CustomFields),
			DateAdded: toIsoTime(context.now),
			LastUpdated: toIsoTime(context.now),
		};
		store().contacts.add(partition, contact);
		list.LastUpdated = toIsoTime(context.now);
		return contact;
	};

	/** Publishes one change for all added contacts: ten thousand single changes would make the desk's list useless. */
	const publishAdded = ({ list }: ListEntry, added: readonly Contact[], context: WriteContext) => {
		const [first, ...others] = added;
		if (!first) return;
		const subject =
			others.length === 0 ? `${formatFullName(first)} was` : `${added.length} contacts were`;
		store().publish(context, `${subject} added to ${list.Name}`, { list });
	};

	return {
		/** Adds all contacts, or only the valid ones, as the settings say; reports the others as invalid. */
		addMany(entry: ListEntry, inputs: readonly ContactInput[], context: WriteContext): void {
			const problems: FieldProblems = {};
			const validInputs = inputs.filter((input, index) => {
				const checkOptions = { isPartial: false, prefix: `[${index}].` };
				const inputProblems = checkForm(store().contactForm, { ...input }, checkOptions);
				Object.assign(problems, inputProblems);
				return Object.keys(inputProblems).length === 0;
			});
			const areAllValid = validInputs.length === inputs.length;
			if (areAllValid || settings.contactAddMode === 'validOnly') {
				const added = validInputs.map((input) => add(entry, input, context));
				publishAdded(entry, added, context);
			}
			if (!areAllValid) throw invalid(problems);
		},

		addOne(entry: ListEntry, input: ContactInput, context: WriteContext): Contact {
			const problems = checkForm(store().contactForm, { ...input }, { isPartial: false });
			if (Object.keys(problems).length > 0) throw invalid(problems);
			const contact = add(entry, input, context);
			publishAdded(entry, [contact], context);
			return contact;
		},

		change(
			{ list }: ListEntry,
			contact: Contact,
			input: ContactInput,
			context: WriteContext,
		): Contact {
			const problems = checkForm(store().contactForm, { ...input }, { isPartial: true });
			if (Object.keys(problems).length > 0) throw invalid(problems);
			const stored = toStoredInput(input);
			const replacesCustomFields =
				settings.contactUpdateMode === 'replaceCustom' ||
				(settings.contactUpdateMode === 'replaceSentCustom' && stored.CustomFields !== undefined);
			const currentFields = replacesCustomFields ? [] : contact.CustomFields;
			const CustomFields = mergeCustomFields(currentFields, stored.CustomFields);
			Object.assign(contact, stored, { CustomFields, LastUpdated: toIsoTime(context.now) });
			store().publish(context, `${formatFullName(contact)} was changed in ${list.Name}`, { list });
			return contact;
		},

		remove({ list, partition }: ListEntry, contact: Contact, context: WriteContext): void {
			store().contacts.remove(partition, contact.ContactId);
			list.LastUpdated = toIsoTime(context.now);
			store().publish(context, `${formatFullName(contact)} was removed from ${list.Name}`, {
				list,
			});
		},
	};
}
