// Events consist of times and decimals, and their JSON form is read and written by others: a file
// that imports the catalogue has what its members are made of.
@_exported public import CivilTime
@_exported public import JSONText
