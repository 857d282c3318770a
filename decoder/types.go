package decoder

import "strconv"

// Type is an event's type code. The codes are shared by MySQL (0 to 43) and MariaDB (160 on); [FormatDescription.Canonical]
// maps the renumbered codes of a few 5.1 trees onto these.
type Type uint8

// The type codes, with the servers that write them.
const (
	UnknownEvent             Type = 0
	StartV3                  Type = 1  // up to 4.1
	QueryType                Type = 2  // all
	StopType                 Type = 3  // all
	RotateType               Type = 4  // all
	IntvarType               Type = 5  // all, statement format
	LoadType                 Type = 6  // 3.23
	SlaveType                Type = 7  // 4.0 alphas
	CreateFileType           Type = 8  // 4.0, 4.1
	AppendBlockType          Type = 9  // 4.0+
	ExecLoadType             Type = 10 // 4.0, 4.1
	DeleteFileType           Type = 11 // 4.0+
	NewLoadType              Type = 12 // 4.0, 4.1
	RandType                 Type = 13 // statement format
	UserVarType              Type = 14 // 4.1+, statement format
	FormatDescriptionType    Type = 15 // 5.0+
	XidType                  Type = 16 // 5.0+
	BeginLoadQueryType       Type = 17 // 5.0+
	ExecuteLoadQueryType     Type = 18 // 5.0+
	TableMapType             Type = 19 // 5.1+
	PreGAWriteRowsType       Type = 20 // 5.1.5 to 5.1.17
	PreGAUpdateRowsType      Type = 21
	PreGADeleteRowsType      Type = 22
	WriteRowsV1Type          Type = 23 // 5.1.18 to 5.5, MariaDB to date
	UpdateRowsV1Type         Type = 24
	DeleteRowsV1Type         Type = 25
	IncidentType             Type = 26 // 5.1+
	HeartbeatType            Type = 27 // network only
	IgnorableType            Type = 28 // 5.6+
	RowsQueryType            Type = 29 // 5.6+
	WriteRowsType            Type = 30 // 5.6+
	UpdateRowsType           Type = 31
	DeleteRowsType           Type = 32
	GtidType                 Type = 33 // 5.6+
	AnonymousGtidType        Type = 34 // 5.7+
	PreviousGtidsType        Type = 35 // 5.6+
	TransactionContextType   Type = 36 // group replication
	ViewChangeType           Type = 37 // group replication
	XaPrepareType            Type = 38 // 5.7.7+, MariaDB 10.5+
	PartialUpdateRowsType    Type = 39 // 8.0.3+
	TransactionPayloadType   Type = 40 // 8.0.20+
	HeartbeatV2Type          Type = 41 // 8.0.27+, network only
	GtidTaggedType           Type = 42 // 8.3+
	LargeTransactionType     Type = 43 // unreleased
	AnnotateRowsType         Type = 160
	BinlogCheckpointType     Type = 161
	MariaGtidType            Type = 162
	GtidListType             Type = 163
	StartEncryptionType      Type = 164
	QueryCompressedType      Type = 165
	WriteRowsCompressedV1    Type = 166
	UpdateRowsCompressedV1   Type = 167
	DeleteRowsCompressedV1   Type = 168
	WriteRowsCompressedType  Type = 169
	UpdateRowsCompressedType Type = 170
	DeleteRowsCompressedType Type = 171
	PartialRowDataType       Type = 172
)

// typeNames has the servers' own constant names. MariaDB's code 162 is prefixed, since MySQL's 33 has the same name.
var typeNames = map[Type]string{
	UnknownEvent: "UNKNOWN_EVENT", StartV3: "START_EVENT_V3", QueryType: "QUERY_EVENT", StopType: "STOP_EVENT",
	RotateType: "ROTATE_EVENT", IntvarType: "INTVAR_EVENT", LoadType: "LOAD_EVENT", SlaveType: "SLAVE_EVENT",
	CreateFileType: "CREATE_FILE_EVENT", AppendBlockType: "APPEND_BLOCK_EVENT", ExecLoadType: "EXEC_LOAD_EVENT",
	DeleteFileType: "DELETE_FILE_EVENT", NewLoadType: "NEW_LOAD_EVENT", RandType: "RAND_EVENT",
	UserVarType: "USER_VAR_EVENT", FormatDescriptionType: "FORMAT_DESCRIPTION_EVENT", XidType: "XID_EVENT",
	BeginLoadQueryType: "BEGIN_LOAD_QUERY_EVENT", ExecuteLoadQueryType: "EXECUTE_LOAD_QUERY_EVENT",
	TableMapType: "TABLE_MAP_EVENT", PreGAWriteRowsType: "PRE_GA_WRITE_ROWS_EVENT",
	PreGAUpdateRowsType: "PRE_GA_UPDATE_ROWS_EVENT", PreGADeleteRowsType: "PRE_GA_DELETE_ROWS_EVENT",
	WriteRowsV1Type: "WRITE_ROWS_EVENT_V1", UpdateRowsV1Type: "UPDATE_ROWS_EVENT_V1", DeleteRowsV1Type: "DELETE_ROWS_EVENT_V1",
	IncidentType: "INCIDENT_EVENT", HeartbeatType: "HEARTBEAT_LOG_EVENT", IgnorableType: "IGNORABLE_LOG_EVENT",
	RowsQueryType: "ROWS_QUERY_LOG_EVENT", WriteRowsType: "WRITE_ROWS_EVENT", UpdateRowsType: "UPDATE_ROWS_EVENT",
	DeleteRowsType: "DELETE_ROWS_EVENT", GtidType: "GTID_EVENT", AnonymousGtidType: "ANONYMOUS_GTID_EVENT",
	PreviousGtidsType: "PREVIOUS_GTIDS_EVENT", TransactionContextType: "TRANSACTION_CONTEXT_EVENT",
	ViewChangeType: "VIEW_CHANGE_EVENT", XaPrepareType: "XA_PREPARE_LOG_EVENT",
	PartialUpdateRowsType: "PARTIAL_UPDATE_ROWS_EVENT", TransactionPayloadType: "TRANSACTION_PAYLOAD_EVENT",
	HeartbeatV2Type: "HEARTBEAT_LOG_EVENT_V2", GtidTaggedType: "GTID_TAGGED_LOG_EVENT",
	LargeTransactionType: "LARGE_TRANSACTION_HEADER_EVENT",
	AnnotateRowsType:     "ANNOTATE_ROWS_EVENT", BinlogCheckpointType: "BINLOG_CHECKPOINT_EVENT",
	MariaGtidType: "MARIADB_GTID_EVENT", GtidListType: "GTID_LIST_EVENT", StartEncryptionType: "START_ENCRYPTION_EVENT",
	QueryCompressedType: "QUERY_COMPRESSED_EVENT", WriteRowsCompressedV1: "WRITE_ROWS_COMPRESSED_EVENT_V1",
	UpdateRowsCompressedV1: "UPDATE_ROWS_COMPRESSED_EVENT_V1", DeleteRowsCompressedV1: "DELETE_ROWS_COMPRESSED_EVENT_V1",
	WriteRowsCompressedType: "WRITE_ROWS_COMPRESSED_EVENT", UpdateRowsCompressedType: "UPDATE_ROWS_COMPRESSED_EVENT",
	DeleteRowsCompressedType: "DELETE_ROWS_COMPRESSED_EVENT", PartialRowDataType: "PARTIAL_ROW_DATA_EVENT",
}

// String returns the server's constant name, or "UNKNOWN_EVENT_n" for a code that no server documents.
func (t Type) String() string {
	if s, ok := typeNames[t]; ok {
		return s
	}
	return "UNKNOWN_EVENT_" + strconv.Itoa(int(t))
}

// Known says that a server documents the code. 0 is a name for bad data, not a type that is written.
func (t Type) Known() bool {
	return t != 0 && t <= LargeTransactionType || t >= AnnotateRowsType && t <= PartialRowDataType
}

// RowOp is what a row event does to its rows.
type RowOp uint8

// The row operations; the zero value is for events that hold no rows.
const (
	NoRows RowOp = iota
	Insert
	Update
	Delete
)

// RowOp returns what a row event of this type does, whether or not this package reads its rows.
func (t Type) RowOp() RowOp {
	switch t {
	case WriteRowsV1Type, WriteRowsType, PreGAWriteRowsType, WriteRowsCompressedV1, WriteRowsCompressedType:
		return Insert
	case UpdateRowsV1Type, UpdateRowsType, PreGAUpdateRowsType, UpdateRowsCompressedV1, UpdateRowsCompressedType, PartialUpdateRowsType:
		return Update
	case DeleteRowsV1Type, DeleteRowsType, PreGADeleteRowsType, DeleteRowsCompressedV1, DeleteRowsCompressedType:
		return Delete
	}
	return NoRows
}

// rowsV2 says that the post-header of a row event goes on with the extra row information of version 2.
func (t Type) rowsV2() bool {
	return t >= WriteRowsType && t <= DeleteRowsType || t == PartialUpdateRowsType ||
		t >= WriteRowsCompressedType && t <= DeleteRowsCompressedType
}

// compressed says that the rows of a row event are compressed: MariaDB's log_bin_compress.
func (t Type) compressed() bool { return t >= WriteRowsCompressedV1 && t <= DeleteRowsCompressedType }
